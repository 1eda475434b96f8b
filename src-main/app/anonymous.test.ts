import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anonymizer } from './anonymous.ts';

const clean = anonymizer({ user: 'mira', home: '/data/people/mira', hostname: 'miras-laptop' });

describe('names in what is exported', () => {
  it('are taken out of paths, whatever system they are of, and out of sentences', () => {
    expect(clean('/data/people/mira/plan.yaml')).toBe('~/plan.yaml');
    expect(clean('/home/someone/x and /Users/else/y')).toBe('~/x and ~/y');
    expect(clean('C:\\Users\\Else\\data, "C:\\\\Users\\\\Else\\\\data"')).toBe('~\\data, "~\\\\data"');
    expect(clean('C:\\Users\\Jo van Else\\data, "D:\\\\Users\\\\Jo Else\\\\data"')).toBe(
      '~\\data, "~\\\\data"',
    );
    expect(clean('in C:\\Users\\Else and on D:\\data')).toBe('in ~ and on D:\\data');
    expect(clean('/root/.local/share')).toBe('~/.local/share');
    expect(clean('password authentication failed for user "Mira"')).toBe(
      'password authentication failed for user "user"',
    );
    expect(clean('postgresql://mira@db.local/x')).toBe('postgresql://user@db.local/x');
    expect(clean('at miras-laptop: gone')).toMatch(/^at client-[0-9a-f]{8}: gone$/);
  });
  it('stay in words that only contain them, and in codes', () => {
    expect(clean('admirable mirabelle, mira-2')).toBe('admirable mirabelle, mira-2');
    expect(clean('mira')).toBe('mira');
  });
  it('that everybody has are left alone', () => {
    const root = anonymizer({ user: 'root', home: '/root', hostname: 'server' });
    expect(root('the root of the server, by root')).toBe('the root of the server, by root');
    expect(root('/root/plan.yaml')).toBe('~/plan.yaml');
  });
  it('are gone after the first time: a second one changes nothing', () => {
    const parts = fc.constantFrom(
      'mira',
      ' ',
      '/',
      '/home/',
      'miras-laptop',
      '~',
      'user',
      'a',
      '"',
      '\\',
      '/root',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (pieces) => {
        const once = clean(pieces.join(''));
        expect(clean(once)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});
