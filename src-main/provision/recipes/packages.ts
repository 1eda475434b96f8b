import { quote } from '../../hosts/quote.ts';
import type { Remote } from '../../hosts/remote.ts';
import { factList, readFacts } from '../shellCheck.ts';

/** Waits for other package tools, keeps changed configuration files, asks nothing. */
const apt =
  'apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold';

/** Where the host remembers which packages a step brought, so that undo takes away these and no others. */
const note = (name: string) => `/var/lib/benchberry/${name}.packages`;

const installed = `dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n' | sed -n 's/^ii *//p' | sort`;

/** Users and groups of the system, which packages make and leave behind. */
const accounts = `{ cut -d: -f1 /etc/passwd | sed 's/^/account /'; cut -d: -f1 /etc/group | sed 's/^/group /'; } | sort`;

/** A file, or a link that may lead nowhere. */
const there = (path: string) => `{ [ -e ${path} ] || [ -L ${path} ]; }`;

export interface Packages {
  /** Of the note on the host: one for each recipe. */
  name: string;
  packages: readonly string[];
  /** Shell text between the archive's index being read and the installation. */
  before?: string;
}

/** Shell text that installs what is missing, without recommended packages, and notes what came with it. */
export function installScript({ name, packages, before = '' }: Packages): string {
  const file = note(name);
  return `mkdir -p -m 700 /var/lib/benchberry
if [ ! -e ${file}.before ] && ${there('/etc/default/locale')}; then cp -a /etc/default/locale ${file}.locale; fi
[ -e ${file}.before ] || { ${installed} > ${file}.part; ${accounts} > ${file}.accounts; mv ${file}.part ${file}.before; }
tries=0
# By itself apt-get is content when no archive answers.
until apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update; do
  tries=$((tries + 1))
  [ $tries -lt 3 ] || { echo 'Not every package archive can be read: what is known of them is used.'; break; }
  echo 'The package archives are tried again in 5 seconds.'
  sleep 5
done
${before}missing=
for package in ${packages.map(quote).join(' ')}; do
  dpkg-query -W -f '\${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing="$missing $package"
done
if [ -n "$missing" ]; then ${apt} install --no-install-recommends $missing; fi
${accounts} | comm -13 ${file}.accounts - > ${file}.accounts.new
${installed} | comm -13 ${file}.before - > ${file}.new
`;
}

/** Shell text that takes away what `installScript` brought. What others have come to need stays. */
export function removeScript(name: string): string {
  const file = note(name);
  return `if [ -e ${file}.before ]; then
  [ -e ${file}.new ] || ${installed} | comm -13 ${file}.before - > ${file}.new
  ${installed} | comm -12 ${file}.new - > ${file}.part
  if [ -s ${file}.part ]; then
    others=$(apt-get -s purge $(cat ${file}.part) | sed -n 's/^\\(Remv\\|Purg\\) \\([^ ]*\\).*/\\2/p' | sort -u | comm -23 - ${file}.part)
    if [ -n "$others" ]; then
      echo "The packages stay, since these need them:" $others
    else
      ${apt} purge $(cat ${file}.part)
      # A package that keeps the language's settings takes this along, whoever made it.
      if ${there(`${file}.locale`)} && ! ${there('/etc/default/locale')}; then cp -a ${file}.locale /etc/default/locale; fi
      [ ! -e ${file}.accounts.new ] || while read -r kind name; do
        case $kind in
          account) ! getent passwd "$name" >/dev/null || userdel "$name" ;;
          group) ! getent group "$name" >/dev/null || groupdel "$name" ;;
        esac
      done < ${file}.accounts.new
    fi
  fi
  rm -f ${file}.*
fi
`;
}

/** Which of these are not installed. */
export async function missingPackages(
  remote: Remote,
  packages: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const script = `for package in ${packages.map(quote).join(' ')}; do
  dpkg-query -W -f '\${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || echo "missing=$package"
done
true`;
  return factList(await readFacts(remote, script, signal), 'missing');
}

/** Ends with 0 where all are installed. */
export function packagesTest(packages: readonly string[]): string {
  return packages
    .map((name) => `dpkg-query -W -f '\${db:Status-Abbrev}' ${quote(name)} 2>/dev/null | grep -q '^ii'`)
    .join(' && ');
}
