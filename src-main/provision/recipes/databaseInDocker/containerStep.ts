import { z } from 'zod';
import { quote } from '../../../hosts/quote.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import { type Container, labelName } from './container.ts';
import { passwordFile } from './postgresql.ts';

const savedSchema = z.object({ storageExisted: z.boolean() });

/** The container, ready over TCP and opened by its password before it may come back by itself. */
export function containerStep(container: Container, password: string): Step {
  const { name, label, result, storage, isFolder, mark, command, server, notes } = container;
  const port = container.ports[0]?.[0];
  const inspect = `docker inspect --type container --format`;
  const storageThere = isFolder ? `[ -e ${storage} ]` : `docker volume inspect ${storage} >/dev/null 2>&1`;
  const facts = `'there=yes
running={{.State.Running}}
restart={{.HostConfig.RestartPolicy.Name}}
mark={{index .Config.Labels "${labelName}"}}'`;
  return {
    id: 'container',
    title: `Run the container ${name} on port ${port}`,
    changes: [
      command,
      `Data in ${isFolder ? storage : `the volume ${storage}`}. Undo removes the container, and the data unless it was there before.`,
      'It comes back after a restart of the host, once it was seen ready.',
      ...notes,
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const seen = await readFacts(
        { ...remote, script: (text, options) => remote.script(text, { ...options, input: `${password}\n` }) },
        `${storageThere} && echo storage=yes
command -v docker >/dev/null || exit 0
${inspect} ${facts} ${name} 2>/dev/null
if ${server.ready} 2>/dev/null; then echo ready=yes; fi
IFS= read -r password || true
if [ -n "$password" ]; then
  { ${server.login}; } >/dev/null 2>&1 || echo login=no
fi
true`,
        signal,
      );
      const there = seen.has('there');
      const same = seen.get('mark') === mark;
      const done =
        same && seen.has('ready') && seen.get('restart') === 'unless-stopped' && seen.get('login') !== 'no';
      const words = [
        there ? `There is a container ${name}` : `There is no container ${name}`,
        ...(there ? [seen.get('running') === 'true' ? 'it runs' : 'it does not run'] : []),
        ...(there && !same ? ['made with other options'] : []),
        ...(there && seen.has('ready') ? [`${label} answers`] : []),
        ...(there && seen.get('login') === 'no' ? ['the password is another one'] : []),
      ];
      const evidence = `${words.join(', ')}.${done && result !== '' ? ` ${result}` : ''}`;
      return { done, evidence, saved: { storageExisted: seen.has('storage') } };
    },
    test: `[ "$(${inspect} ${facts} ${name} 2>/dev/null)" = "$(printf 'there=yes\\nrunning=true\\nrestart=unless-stopped\\nmark=%s' ${quote(mark)})" ] && ${server.ready}`,
    secretInput: [password],
    apply: () => `IFS= read -r password
[ -n "$password" ] || { echo 'No password was given.' >&2; exit 1; }
if ${inspect} '{{.Id}}' ${name} >/dev/null 2>&1; then
  mark=$(${inspect} '{{index .Config.Labels "${labelName}"}}' ${name})
  [ -n "$mark" ] || { echo 'There is a container ${name} that Benchberry did not make: it is left alone.' >&2; exit 1; }
  echo 'The container is made anew; its data stays.'
  docker stop ${name}
  docker rm ${name}
fi
${isFolder ? `mkdir -p ${storage}\n` : ''}${server.start(command)}tries=0
until ${server.ready}; do
  tries=$((tries + 1))
  if [ $tries -ge 180 ] || [ "$(${inspect} '{{.State.Running}}' ${name})" != true ]; then
    echo '${label} does not start. The end of its log:' >&2
    docker logs --tail 20 ${name} >&2
    exit 1
  fi
  sleep 1
done
${server.settle}docker update --restart unless-stopped ${name} > /dev/null
echo '${label} is ready on port ${port}.'
`,
    undo(saved) {
      const kept = savedSchema.parse(saved).storageExisted;
      const remove = isFolder ? `rm -rf ${storage}` : `docker volume rm ${storage} >/dev/null 2>&1 || true`;
      return `if command -v docker >/dev/null && ${inspect} '{{.Id}}' ${name} >/dev/null 2>&1; then
  docker stop ${name}
  docker rm ${name}
fi
rm -f ${passwordFile(name)}
${kept ? `echo 'The data was there before: it stays.'` : `if command -v docker >/dev/null; then ${remove}; fi`}
`;
    },
  };
}
