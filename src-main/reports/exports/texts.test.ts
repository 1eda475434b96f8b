import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell } from './csvFormat.ts';
import { plain } from './markdownFormat.ts';

describe('a cell of a CSV', () => {
  /** RFC 4180: in quotes, each quote doubled; else as it stands. */
  const read = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
  it('is read back as it was, a formula with an apostrophe in front', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('=1+1', '+a', '-a', '@a', '\ta', 'a,"b"\n')),
        (text) => {
          const cell = csvCell(text);
          expect(read(cell)).toBe(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
          if (!cell.startsWith('"')) expect(cell).not.toMatch(/[",\r\n]/);
        },
      ),
    );
  });
  it('keeps all digits of a number, and nothing for none', () => {
    expect([csvCell(0.1 + 0.2), csvCell(-5), csvCell(null)]).toEqual(['0.30000000000000004', '-5', '']);
  });
});

describe('a text in Markdown', () => {
  it('is one line without markup, mentions, links or numbered items', () => {
    expect(plain('a | b\n# c `d` <b> [x](y) 1*2_3')).toBe(
      'a \\| b # c \\`d\\` \\<b\\> \\[x\\]\\(y\\) 1\\*2\\_3',
    );
    expect(plain('# title')).toBe('\\# title');
    expect(plain('- item')).toBe('\\- item');
    expect(plain('1. item')).toBe('1\\. item');
    expect(plain('46.6 ms')).toBe('46.6 ms');
    expect(plain('@someone #12 https://x.org www.x.org')).toBe(
      '@<!-- -->someone #<!-- -->12 https:<!-- -->//x.org www<!-- -->.x.org',
    );
  });
  it('of whatever letters leaves no character of markup unescaped', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const bare = plain(text)
          .replaceAll('<!-- -->', '')
          .replace(/\\[\p{P}\p{S}]/gu, '');
        expect(bare).not.toMatch(/[`*_{}[\]()<>|~\n]/);
      }),
    );
  });
});
