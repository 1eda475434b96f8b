import type { Provisioning } from '../../src-shared/model/provision.ts';
import { quote } from '../hosts/quote.ts';
import { stepPrelude } from './job.ts';
import type { PlannedStep } from './planned.ts';

/**
 * A plan as one shell script that a person can read and run on the host as root: each step looks first, changes, looks
 * again. Passwords are not in it: it asks for them.
 */
export function planScript(
  host: { name: string; address: string },
  plan: Provisioning,
  steps: readonly PlannedStep[],
): string {
  const recipes = plan.plan.recipes.map(({ id }) => id).join(', ');
  return [
    `#!/bin/sh
# Sets up ${comment(host.name)} (${comment(host.address)}): ${comment(recipes)}.
# Run it on that host as root: sudo sh setup.sh
# Every step looks first whether it is so already; run twice, it changes nothing the second time.
${stepPrelude}export LC_ALL=C.UTF-8 LANGUAGE=C
[ "$(id -u)" = 0 ] || { echo "Run this as root: sudo sh $0" >&2; exit 1; }
restart=no

# Asks at the terminal, without echo; the answer is in $answer.
ask() {
  printf '%s: ' "$1" > /dev/tty
  stty -echo < /dev/tty
  IFS= read -r answer < /dev/tty
  stty echo < /dev/tty
  echo > /dev/tty
}
# Runs a script from standard input as the user who called sudo.
as_user() {
  if [ -n "\${SUDO_USER:-}" ]; then sudo -u "$SUDO_USER" -- sh -s; else sh -s; fi
}
not_so() {
  echo "It ran, but the host is not as it should be: $1" >&2
  exit 1
}`,
    ...steps.map((step, index) =>
      // As it was looked at; a plan of before may have other steps by now.
      stepText(step, plan.steps.find(({ id }) => id === step.id)?.script ?? step.step.apply(), index + 1),
    ),
    `if [ "$restart" = yes ]; then
  echo 'Restart the host now, then run this script again: it looks whether all is well.'
else
  echo 'All done.'
fi
`,
  ].join('\n\n');
}

function stepText({ step, own }: PlannedStep, text: string, number: number): string {
  const heading = [
    `# ${number}. ${comment(step.title)}`,
    ...step.changes.map((line) => `#    ${comment(line)}`),
  ];
  const say = `echo ${quote(`== ${number}. ${step.title}`)}`;
  const name = `step_${number}`;
  const body = own ? asUserText(text) : text;
  const secrets = step.secretInput ?? [];
  const asked = secrets.map((_, i) => {
    const which = secrets.length > 1 ? `Password ${i + 1} for` : 'Password for';
    return `ask ${quote(`${which} "${step.title}"`)}\nsecret_${i + 1}=$answer`;
  });
  const run =
    secrets.length === 0
      ? `${name}_apply < /dev/null`
      : `printf '%s\\n' ${secrets.map((_, i) => `"$secret_${i + 1}"`).join(' ')} | ${name}_apply`;
  const make = [...asked, run];
  const functions = [`${name}_apply() (\nset -eu\n${body}\n)`];
  if (own) return [...heading, ...functions, say, ...make].join('\n');
  const after = step.needsReboot
    ? `${name}_is_so || restart=yes`
    : `${name}_is_so || not_so ${quote(step.title)}`;
  return [
    ...heading,
    `${name}_is_so() (\n${step.test}\n)`,
    ...functions,
    say,
    `if ${name}_is_so; then`,
    "  echo 'Already so.'",
    'else',
    ...make,
    after,
    'fi',
  ].join('\n');
}

function asUserText(text: string): string {
  return `printf '%s\\n' ${quote(text)} | as_user`;
}

/** One line, whatever is in it. */
function comment(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029\0]+/g, ' ');
}
