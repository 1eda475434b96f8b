import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lines } from './lines.ts';

it('gives the same lines whatever pieces the text comes in', () => {
  const part = fc.constantFrom('a', 'é', '\n', '\n\n', 'word', '\r\n');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const seen: string[] = [];
      const cut = lines((line) => seen.push(line));
      for (const text of parts) cut.add(text);
      cut.end();
      const whole = parts.join('').split('\n');
      if (whole.at(-1) === '') whole.pop();
      expect(seen).toEqual(whole);
    }),
  );
});
