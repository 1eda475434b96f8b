import { spawn } from 'node:child_process';
import { cancelled } from '../../src-shared/errors.ts';
import type { Remote, RemoteOptions, RemoteResult } from './remote.ts';

/** For tests: this machine as a Remote, as far as the inventory, the gate and the checks ask of one. */
export function localRemote(prefix: readonly string[] = [], env: NodeJS.ProcessEnv = process.env): Remote {
  const execute = (command: readonly string[], options: RemoteOptions = {}) =>
    new Promise<RemoteResult>((resolve, reject) => {
      const { signal } = options;
      if (signal?.aborted) return reject(cancelled());
      const [program = '', ...args] = [...prefix, ...command];
      const child = spawn(program, args, { env });
      const onAbort = () => child.kill('SIGTERM');
      signal?.addEventListener('abort', onAbort, { once: true });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        options.onOutput?.(text);
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      child.on('error', reject);
      child.stdin.on('error', () => child.stdin.destroy()); // it ended before it had read all
      child.on('close', (code) => {
        signal?.removeEventListener('abort', onAbort);
        if (signal?.aborted) reject(cancelled());
        else resolve({ code: code ?? 143, stdout, stderr });
      });
      child.stdin.end(options.input ?? '');
    });
  const notHere = () => Promise.reject(new Error('not asked of this machine'));
  return {
    address: '127.0.0.1',
    user: 'root',
    run: execute,
    script: (text, options = {}) => execute(['sh', '-s'], { ...options, input: text }),
    stream: async (command, onLine, options) => {
      const result = await execute(command, options);
      for (const line of result.stdout.split('\n')) onLine(line);
      return result;
    },
    readFile: notHere,
    writeFile: notHere,
    reboot: notHere,
    close: () => Promise.resolve(),
  };
}
