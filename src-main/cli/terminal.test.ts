import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTerminal } from './terminal.ts';

function terminal() {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const read = (stream: PassThrough) => String(stream.read() ?? '');
  return {
    ...createTerminal({ stdin: process.stdin, stdout, stderr }),
    printed: () => read(stdout),
    told: () => read(stderr),
  };
}

test('control characters of a name are shown and not obeyed', () => {
  const { out, err, status, printed, told } = terminal();
  out('plan \u001b]0;owned\u0007 \u009b2J\tNaïve 測定\nnext\rover');
  expect(printed()).toBe('plan \\u001b]0;owned\\u0007 \\u009b2J\tNaïve 測定\nnext\\u000dover\n');
  err('\u202etxt.exe\u2066');
  expect(told()).toBe('\\u202etxt.exe\\u2066\n');
  status('Asking\n\u001b[31mred');
  expect(told()).toBe('\r\u001b[2KAsking \\u001b[31mred');
});

test('whatever is printed as JSON is the same value when read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { out, printed } = terminal();
      out(JSON.stringify({ text }));
      expect(JSON.parse(printed())).toEqual({ text });
    }),
  );
});
