import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escaped, metricName, prefixOf } from './names.ts';

it.each([
  ['usage_user', 'usage_user'],
  ['us-west-1.a', 'us-west-1.a'],
  ['/dev/sda1', '/2Fdev/2Fsda1'],
  ['a b=c"d\n', 'a/20b/3Dc/22d/0A'],
  ['höst ☃', 'h/C3/B6st/20/E2/98/83'],
  ['', ''],
])('writes %j in characters that the server takes', (text, written) => {
  expect(escaped(text)).toBe(written);
});

it('can be read back, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const written = escaped(text);
      expect(written).toMatch(/^[A-Za-z0-9_./-]*$/);
      // As the percent signs of a URL.
      expect(decodeURIComponent(written.replaceAll('/', '%'))).toBe(text);
    }),
  );
});

it('names metrics so that none of one database is one of another', () => {
  expect(metricName('benchmark', 'cpu', 'usage_user')).toBe('benchmark.cpu.usage_user');
  expect(prefixOf('a.b')).toBe('a/2Eb.');
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (one, other, table, field) => {
      fc.pre(one !== other);
      expect(metricName(one, table, field).startsWith(prefixOf(other))).toBe(false);
      expect(metricName(one, table, field).split('.').length).toBe(3);
    }),
  );
});
