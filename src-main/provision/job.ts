import { randomBytes } from 'node:crypto';
import { AppError, cancelled } from '../../src-shared/errors.ts';
import type { Remote } from '../hosts/remote.ts';

/**
 * A step's script as root, in a session of its own on the host: a lost connection does not end it in the middle of an
 * installation, and whoever signs in next follows it to its end. Its files are in memory and gone with it, or with a restart.
 */
const folder = '/run/benchberry';

export interface Job {
  /** Shell text. */
  text: string;
  /** Lines that it reads with `read -r`; never in a file, an argument or the log. */
  input: readonly string[];
}

export interface JobOptions {
  onOutput: (text: string) => void;
  /** An abort ends it between two runs of dpkg, never within one. */
  signal: AbortSignal;
}

/** What every step can count on. */
export const stepPrelude = 'set -eu\numask 022\nexport DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a\n';

/**
 * Runs it to its end.
 * @returns its exit code
 * @throws AppError `connection-lost` (it goes on without us: see `followJob`), `cancelled`
 */
export async function runJob(remote: Remote, job: Job, options: JobOptions): Promise<number> {
  const end = `end_${randomBytes(12).toString('hex')}`;
  const start = `set -eu
umask 077
mkdir -p ${folder}
cd ${folder}
if [ -s pid ] && kill -0 "$(cat pid)" 2>/dev/null; then exit ${codes.busy}; fi
rm -f pid log code
cat > step.sh <<'${end}'
${stepPrelude}${job.text}
${end}
input=$(cat; echo .)
input=\${input%.}
: > log
printf %s "$input" | setsid sh -c 'echo $$ > pid; sh ./step.sh; echo $? > code' >> log 2>&1 &
`;
  const input = job.input.map((line) => `${oneLine(line)}\n`).join('');
  const code = await watched(remote, start + follow, input, options);
  if (code !== codes.busy) return code;
  throw new AppError({
    code: 'run-active',
    message: 'Something else is being set up on this host',
    hint: 'Wait until it is done, then apply again.',
  });
}

/**
 * Follows a job that was left alone by a lost connection or an app that ended.
 * @returns its exit code; null where there is none
 */
export async function followJob(remote: Remote, options: JobOptions): Promise<number | null> {
  const script = `cd ${folder} 2>/dev/null || exit ${codes.none}\n${follow}`;
  const code = await watched(remote, script, '', options);
  return code === codes.none ? null : code;
}

const codes = { busy: 76, none: 77, killed: 137 };

const follow = `i=0
while [ ! -s pid ] && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
[ -s pid ] || exit ${codes.none}
tail -n +1 -s 0.2 -f --pid="$(cat pid)" log
code=$(cat code 2>/dev/null || echo ${codes.killed})
cd / && rm -rf ${folder}
exit "$code"
`;

const stop = `cd ${folder} 2>/dev/null || exit 0
pid=$(cat pid 2>/dev/null) || exit 0
while kill -0 "$pid" 2>/dev/null && ps -s "$pid" -o comm= | grep -qx dpkg; do sleep 0.2; done
kill -TERM "-$pid" 2>/dev/null
i=0
while kill -0 "$pid" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.2; i=$((i + 1)); done
kill -KILL "-$pid" 2>/dev/null
if command -v dpkg >/dev/null && [ -n "$(dpkg --audit)" ]; then dpkg --configure -a </dev/null; fi
exit 0
`;

/** The script itself gets no signal: the SSH layer's way to cancel ends what it finds, dpkg or not. */
async function watched(remote: Remote, script: string, input: string, options: JobOptions): Promise<number> {
  const { signal, onOutput } = options;
  if (signal.aborted) throw cancelled();
  let stopping: Promise<unknown> | null = null;
  const onAbort = () => {
    stopping = remote.script(stop, { root: true });
    // Its failure is told below, where it is awaited.
    stopping.catch(() => null);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { code } = await remote.script(script, { root: true, input, onOutput });
    await stopping;
    if (signal.aborted) throw cancelled();
    return code;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function oneLine(line: string): string {
  if (!/[\n\0]/.test(line)) return line;
  throw new AppError({ code: 'bad-input', message: 'A password cannot hold a line break' });
}
