import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import { quote } from '../../../hosts/quote.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import { type Container, labelName } from './container.ts';
import type { Parameters } from './parameters.ts';

const savedSchema = z.object({ storageExisted: z.boolean() });

/** The container, tuned at its first start and ready over TCP before it may come back by itself. */
export function containerStep(container: Container, { product, port, password }: Parameters): Step {
  const { name, storage, isFolder, passwordFile, label, command } = container;
  const inspect = `docker inspect --type container --format`;
  // Within the container a local connection needs no password: its own address does.
  const login = `docker exec -e PGPASSWORD ${name} sh -c 'psql -X -q -A -t -w -h "$(hostname -i)" -U postgres -c "select 1"'`;
  const storageThere = isFolder
    ? `[ -e ${quote(storage)} ]`
    : `docker volume inspect ${storage} >/dev/null 2>&1`;
  const tuned = `docker exec ${name} psql -X -q -A -t -U postgres -c "select current_setting('timescaledb.last_tuned', true)"`;
  return {
    id: 'container',
    title: `Run the container ${name} on port ${port}`,
    changes: [
      command,
      `Data in ${isFolder ? storage : `the volume ${storage}`}. Undo removes the container, and the data unless it was there before.`,
      'It comes back after a restart of the host, once it was seen ready.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const facts = await readFacts(
        { ...remote, script: (text, options) => remote.script(text, { ...options, input: `${password}\n` }) },
        `${storageThere} && echo storage=yes
command -v docker >/dev/null || exit 0
${inspect} 'there=yes
running={{.State.Running}}
restart={{.HostConfig.RestartPolicy.Name}}
label={{index .Config.Labels "${labelName}"}}' ${name} 2>/dev/null
docker exec ${name} pg_isready -q -h 127.0.0.1 2>/dev/null && echo ready=yes
IFS= read -r PGPASSWORD || true
export PGPASSWORD
[ -z "$PGPASSWORD" ] || ${login} >/dev/null 2>&1 || echo login=no
true`,
        signal,
      );
      const saved = { storageExisted: facts.has('storage') };
      const there = facts.has('there');
      const as = facts.get('label') === label;
      const done =
        as && facts.has('ready') && facts.get('restart') === 'unless-stopped' && facts.get('login') !== 'no';
      if (!done && password === '') {
        throw new AppError({
          code: 'bad-input',
          message: 'Choose a password for the database.',
          place: { field: 'password' },
        });
      }
      const seen = [
        there ? `There is a container ${name}` : `There is no container ${name}`,
        ...(there ? [facts.get('running') === 'true' ? 'it runs' : 'it does not run'] : []),
        ...(there && !as ? ['made with other options'] : []),
        ...(facts.has('ready') ? ['it takes connections'] : []),
        ...(there && facts.get('login') === 'no' ? ['the password is another one'] : []),
      ];
      return { done, evidence: `${seen.join(', ')}.`, saved };
    },
    secretInput: [password],
    apply: () => `IFS= read -r password
[ -n "$password" ] || { echo 'No password was given.' >&2; exit 1; }
if ${inspect} '{{.Id}}' ${name} >/dev/null 2>&1; then
  label=$(${inspect} '{{index .Config.Labels "${labelName}"}}' ${name})
  [ -n "$label" ] || { echo 'There is a container ${name} that Benchberry did not make: it is left alone.' >&2; exit 1; }
  echo 'The container is made anew; its data stays.'
  docker stop ${name}
  docker rm ${name}
fi
# Readable within the container only: the folder is closed to everybody but root.
mkdir -p -m 700 /var/lib/benchberry
printf %s "$password" > ${passwordFile}
chmod 444 ${passwordFile}
${isFolder ? `mkdir -p ${quote(storage)}\n` : ''}${command}
tries=0
until docker exec ${name} pg_isready -q -h 127.0.0.1; do
  tries=$((tries + 1))
  if [ $tries -ge 180 ] || [ "$(${inspect} '{{.State.Running}}' ${name})" != true ]; then
    echo 'The database does not start. The end of its log:' >&2
    docker logs --tail 20 ${name} >&2
    exit 1
  fi
  sleep 1
done
${
  product === 'timescaledb'
    ? `if [ -z "$(${tuned})" ]; then
  echo 'The server runs, but untuned: an earlier first start has failed in its tuning. Remove the data and start again.' >&2
  exit 1
fi
`
    : ''
}# Data that was there before has the password of then.
PASSWORD=$password docker exec -i -e PASSWORD ${name} psql -X -q -v ON_ERROR_STOP=1 -U postgres <<'end_of_sql'
\\getenv password PASSWORD
set log_min_error_statement = panic;
alter role postgres password :'password';
end_of_sql
: > ${passwordFile}
docker update --restart unless-stopped ${name} > /dev/null
echo 'Ready on port ${port}.'
`,
    undo(saved) {
      const kept = savedSchema.parse(saved).storageExisted;
      const remove = isFolder
        ? `rm -rf ${quote(storage)}`
        : `docker volume rm ${storage} >/dev/null 2>&1 || true`;
      return `if command -v docker >/dev/null && ${inspect} '{{.Id}}' ${name} >/dev/null 2>&1; then
  docker stop ${name}
  docker rm ${name}
fi
rm -f ${passwordFile}
${kept ? `echo 'The data was there before: it stays.'` : `if command -v docker >/dev/null; then ${remove}; fi`}
`;
    },
  };
}
