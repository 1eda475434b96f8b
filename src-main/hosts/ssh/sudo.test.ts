import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSudo } from './sudo.ts';

/** The words sudo and the marker would print, read off the command line that was made. */
function setUp(password: string | null) {
  const sudo = createSudo('pi', password);
  const line = sudo.wrap('exec true');
  const prompt = /-p (\S+) /.exec(line)?.[1] ?? '';
  const marker = /printf %s (\S+) >/.exec(line)?.[1] ?? '';
  const channel = new PassThrough();
  const feed = (text: string, size = text.length) => {
    const bytes = Buffer.from(text);
    const parts: Buffer[] = [];
    for (let i = 0; i < bytes.length; i += size)
      parts.push(sudo.read(bytes.subarray(i, i + size), channel, 'the input'));
    return Buffer.concat(parts).toString();
  };
  return { sudo, line, prompt, marker, feed, written: () => String(channel.read() ?? ''), channel };
}

describe('a conversation with sudo', () => {
  it('writes the password after the prompt, the input after the marker, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.string({ unit: 'grapheme' }), (size, own) => {
        const { feed, prompt, marker, written, sudo } = setUp('secret');
        expect(feed('We trust you have received the usual lecture\n', size)).toBe('');
        expect(written()).toBe('');
        expect(feed(prompt, size)).toBe('');
        expect(written()).toBe('secret\n');
        expect(feed(`\n${marker}${own}`, size)).toBe(own);
        expect(written()).toBe('the input');
        expect(sudo.refusal(1)).toBeNull();
      }),
    );
  });

  it('writes no password where sudo does not ask', () => {
    const { feed, marker, written } = setUp('secret');
    feed(marker);
    expect(written()).toBe('the input');
  });

  it('tries one password only', () => {
    const { feed, prompt, sudo, written, channel } = setUp('secret');
    feed(`${prompt}\nSorry, try again.\n${prompt}`);
    expect(written()).toBe('secret\n');
    expect(channel.writableEnded).toBe(true);
    feed('\nsudo: 1 incorrect password attempt\n');
    expect(sudo.refusal(1)).toMatchObject({ code: 'wrong-password' });
  });

  it('asks for a password that is not known', () => {
    const { feed, prompt, sudo, written } = setUp(null);
    feed(prompt);
    expect(written()).toBe('');
    expect(sudo.refusal(1)).toMatchObject({ code: 'password-needed' });
  });

  it.each([
    ['pi is not in the sudoers file.', 'no-permission'],
    ['Sorry, user pi may not run sudo on raspberrypi.', 'no-permission'],
    ['Sorry, user pi is not allowed to execute sh as root on raspberrypi.', 'no-permission'],
    ['sh: 1: exec: sudo: not found', 'no-permission'],
  ])('tells why: %s', (words, code) => {
    const { feed, prompt, sudo } = setUp('secret');
    feed(`${prompt}\n${words}\n`);
    const error = sudo.refusal(127);
    expect(error).toMatchObject({ code, detail: words });
  });

  it('keeps the password out of the command line', () => {
    expect(setUp('secret').line).not.toContain('secret');
  });
});
