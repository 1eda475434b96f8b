import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import { quote } from '../../../hosts/quote.ts';
import type { Step } from '../../step.ts';

const file = '/etc/docker/daemon.json';

const savedSchema = z.object({ before: z.string().nullable(), madeFolder: z.boolean().default(false) });
const configSchema = z.record(z.string(), z.json());

/**
 * Merges what is wanted into Docker's configuration; every other key stays.
 * @returns the new text; null where nothing is missing
 * @throws AppError `unsupported` where the file is no JSON object
 */
export function mergeDaemon(text: string | null, dataRoot: string): string | null {
  const config = parse(text);
  const wanted: typeof config = {};
  if (dataRoot !== '') {
    wanted['data-root'] = dataRoot;
    // Docker 29 keeps images with containerd, in another folder, unless it is told not to.
    const features = configSchema.catch({}).parse(config.features);
    wanted.features = { 'containerd-snapshotter': false, ...features };
  }
  // Whoever chose a driver has thought about it; only the default one has no limit.
  const plain = ['json-file', undefined].includes(
    z.string().optional().catch('').parse(config['log-driver']),
  );
  if (plain && config['log-opts'] === undefined) {
    wanted['log-driver'] = 'local';
    wanted['log-opts'] = { 'max-size': '10m', 'max-file': '3' };
  }
  const missing = Object.entries(wanted).some(
    ([key, value]) => JSON.stringify(config[key]) !== JSON.stringify(value),
  );
  return missing ? `${JSON.stringify({ ...config, ...wanted }, null, 2)}\n` : null;
}

function parse(text: string | null): z.infer<typeof configSchema> {
  if (text === null || text.trim() === '') return {};
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError(
      {
        code: 'unsupported',
        message: `${file} cannot be read as JSON: it is left as it is`,
        hint: 'Put it right on the host, then plan again.',
      },
      { cause },
    );
  }
}

/** Shell text: somebody has set up the log, be it this recipe. */
const isLimited = `{ grep -qs '"log-opts"' ${file} || grep -s '"log-driver"' ${file} | grep -vq json-file; }`;

/** Log limits, and the data's folder where one is chosen. */
export function daemonStep(dataRoot: string): Step {
  // As the host was last looked at: the script refuses to write over anything else.
  let seen: string | null = null;
  const restart = `systemctl restart docker || {
  journalctl -u docker -n 20 --no-pager >&2`;
  return {
    id: 'configuration',
    title: 'Limit the logs of containers',
    changes: [
      `${file}: log-driver local, at most 3 × 10 MB for each container, unless a log is set up there already.`,
      ...(dataRoot === ''
        ? []
        : [
            `${file}: data-root ${dataRoot}, with the images in it too; what Docker has now stays where it is, unused. Undo takes the folder away, unless it was there before.`,
          ]),
      'Every other line of that file stays. Docker restarts.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      seen = await remote.readFile(file, { root: true, signal });
      const done = mergeDaemon(seen, dataRoot) === null;
      const evidence =
        seen === null ? `There is no ${file}.` : `${file} is ${seen.trim().replaceAll(/\s+/g, ' ')}`;
      const folder = await remote.script(dataRoot === '' ? 'true' : `[ -e ${quote(dataRoot)} ]`, {
        root: true,
        signal,
      });
      return { done, evidence, saved: { before: seen, madeFolder: folder.code !== 0 } };
    },
    test: `${isLimited}${dataRoot === '' ? '' : ` && grep -qF ${quote(`"data-root": ${JSON.stringify(dataRoot)}`)} ${file}`}`,
    apply: () => `mkdir -p /etc/docker${dataRoot === '' ? '' : ` ${quote(dataRoot)}`}
# Under "set -e" a file that is not there would end the first of the two, dot and all.
if [ "$(cat ${file} 2>/dev/null || true; echo .)" != "$(printf %s ${quote(seen ?? '')}; echo .)" ]; then
  echo '${file} is not what it was when it was looked at: plan again.' >&2
  exit 1
fi
cat > ${file}.new <<'end_of_file'
${mergeDaemon(seen, dataRoot) ?? seen ?? ''}end_of_file
if dockerd --help 2>/dev/null | grep -q -- --validate; then dockerd --validate --config-file ${file}.new; fi
[ ! -e ${file} ] || { cp -p ${file} ${file}.before; chmod --reference=${file} ${file}.new; }
mv ${file}.new ${file}
${restart}
  if [ -e ${file}.before ]; then mv ${file}.before ${file}; else rm -f ${file}; fi
  systemctl restart docker
  echo 'Docker did not start with it: the file before is back.' >&2
  exit 1
}
rm -f ${file}.before
`,
    undo(saved) {
      const { before, madeFolder } = savedSchema.parse(saved);
      const put =
        before === null
          ? `rm -f ${file}`
          : `printf %s ${quote(before)} > ${file}.new\nmv ${file}.new ${file}`;
      return `${put}
if systemctl is-active -q docker; then ${restart}
  exit 1
}; fi
${madeFolder ? `rm -rf ${quote(dataRoot)}\n` : ''}`;
    },
  };
}
