import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { AppError } from '../../../src-shared/errors.ts';
import { quote } from '../quote.ts';

/**
 * One use of sudo: a prompt and a marker that nobody else knows. The password is written only after sudo has asked for it,
 * because where sudo does not ask it would go to the command; the command's own input only after the marker.
 */
export interface Sudo {
  /** The script with root's rights: `inner` is POSIX shell. */
  wrap(inner: string): string;
  /** Takes what came on standard error; returns what of it is the command's own. */
  read(data: Buffer, channel: Writable, input: string): Buffer;
  /** Whether the command itself runs or ran. */
  begun(): boolean;
  /** What to say when sudo does neither: it has asked for something that is not the password. */
  silent(): AppError;
  /** Why the command did not even begin; null when it did. */
  refusal(code: number): AppError | null;
}

/**
 * Tells that it has begun, then runs `inner` beside itself and waits. sudo passes a signal on to this shell alone, so it is
 * this shell that ends the whole process group: what a script has started must not go on by itself after a cancel.
 */
function supervised(marker: string, inner: string): string {
  return [
    `printf %s ${marker} >&2`,
    'exec 3<&0', // what runs beside a shell has no standard input otherwise
    `{ exec <&3 3<&-; ${inner}; } &`,
    'exec 3<&-',
    `trap 't=1; trap : TERM; kill -TERM 0' TERM`,
    'wait $!; c=$?; [ -z "$t" ] || wait; exit $c',
  ].join('\n');
}

/** @param password null when none is known */
export function createSudo(user: string, password: string | null): Sudo {
  const token = randomBytes(12).toString('hex');
  const prompt = `${token}-ask`;
  const marker = `${token}-go`;
  let before = Buffer.alloc(0);
  let asked = 0;
  let begun = false;
  const words = () => before.toString('utf8').replaceAll(prompt, '').trim();
  const count = (text: string, what: string) => text.split(what).length - 1;
  return {
    wrap: (inner) => `exec sudo -S -k -p ${quote(prompt)} -- sh -c ${quote(supervised(marker, inner))}`,
    read(data, channel, input) {
      if (begun) return data;
      before = Buffer.concat([before, data]);
      const start = before.indexOf(marker);
      if (start >= 0) {
        begun = true;
        channel.end(input);
        return before.subarray(start + marker.length);
      }
      for (const prompts = count(before.toString('latin1'), prompt); asked < prompts; asked++) {
        // Once: repeated failures lock accounts and send mail.
        if (asked === 0 && password !== null) channel.write(`${password}\n`);
        else channel.end();
      }
      return Buffer.alloc(0);
    },
    begun: () => begun,
    silent: () =>
      new AppError({
        code: 'no-permission',
        message: 'sudo neither starts the command nor asks for the password',
        detail: words(),
      }),
    refusal(code) {
      if (begun) return null;
      const detail = words();
      if (/not in the sudoers|may not run|not allowed to (execute|run)/i.test(detail)) {
        return new AppError({
          code: 'no-permission',
          message: `${user} may not become root on this host`,
          detail,
          hint: `Sign in as a user who may use sudo; or, as root on the host: usermod -aG sudo ${quote(user)}`,
        });
      }
      if (asked > 0 && password === null) {
        return new AppError({
          code: 'password-needed',
          message: `sudo asks for the password of ${user}`,
          secret: 'sudo',
        });
      }
      if (asked > 1) {
        return new AppError({
          code: 'wrong-password',
          message: `sudo refuses this password of ${user}`,
          hint: 'It was tried once. sudo asks for the password of the user, not for one of root',
          secret: 'sudo',
        });
      }
      return new AppError({
        code: 'no-permission',
        message: code === 127 ? 'There is no sudo on this host' : 'sudo did not start the command',
        detail: detail === '' ? `exit code ${code}` : detail,
        hint: 'Sign in as root, or install sudo and give the user the right to use it',
      });
    },
  };
}
