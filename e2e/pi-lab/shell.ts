import { spawn } from 'node:child_process';

/** What a command printed; rejects with its last lines when it fails, so that a broken lab says why. */
export function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(out);
      else
        reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${(err || out).slice(-2000)}`));
    });
  });
}

/** Asks `condition` until it gives a value; the bound is there for a lab that is broken, not to pace anything. */
export async function until<T>(what: string, condition: () => Promise<T | null>, seconds = 180): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last: unknown = null;
  while (Date.now() < end) {
    try {
      const value = await condition();
      if (value !== null) return value;
    } catch (error) {
      last = error; // not there yet; told below if it never comes
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${what}: not within ${seconds} s`, { cause: last });
}
