import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { parseSettings } from './custom.ts';
import { settingLine } from './setting.ts';

const pairs = (text: string) => parseSettings(text).map(({ name, value }) => [name, value]);

describe('own settings', () => {
  it('are read as in postgresql.conf', () => {
    const text = `
# a comment
work_mem = 8MB ; Max_Parallel_Workers 2
search_path = 'a;b # ''c''' # another
log_line_prefix = '%m \\\\ \\'\\101\\t; # '; work_mem2 = 1
timescaledb.max_background_workers=4`;
    expect(pairs(text)).toEqual([
      ['work_mem', '8MB'],
      ['max_parallel_workers', '2'],
      ['search_path', "a;b # 'c'"],
      ['log_line_prefix', "%m \\ 'A\t; # "],
      ['work_mem2', '1'],
      ['timescaledb.max_background_workers', '4'],
    ]);
  });

  it.each([
    ['work_mem', 1],
    ['\nwork_mem = 8MB extra', 2],
    ["\n\nx = 'open", 3],
    ['jit = on\njit = off', 2],
    ['port = 5433', 1],
    ["data_directory = '/x'", 1],
  ])('are refused with the line: %j', (text, line) => {
    expect(() => parseSettings(text)).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { field: 'custom', line } }),
    );
  });

  it('come back from the lines that are written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(pairs(settingLine({ name: 'search_path', value: text }))).toEqual([['search_path', text]]);
      }),
    );
  });

  it('are read or refused, whatever is in them', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          for (const [name] of pairs(text)) expect(name).toMatch(/^[a-z_]/);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
