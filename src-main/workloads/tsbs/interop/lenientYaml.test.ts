import { describe, expect, it } from 'vitest';
import { readLenientYaml } from './lenientYaml.ts';

const known = new Set(['workers']);
const read = (text: string) => readLenientYaml(text, null, known);
/** Filled up to the largest text that is read at all. */
const filled = (head: string, part: string, end = '\n') =>
  head + part.repeat(Math.floor((65_536 - head.length - end.length) / part.length)) + end;
const keys = Array.from({ length: 5000 }, (_, i) => ` k${i}: 1\n`).join('');

describe('a text that is made to take long', { timeout: 20_000 }, () => {
  it.each([
    ['blanks behind a value', filled('loader:\n  workers:4', ' ', 'y\n')],
    ['commas behind a value', filled('loader:\n  workers:4', ',', 'y\n')],
    ['words that are keys without a colon', filled('loader: ', 'workers ')],
    ['blanks before a colon', filled('loader:\n  workers', ' ', ':4\n')],
  ])('%s', (_, text) => {
    expect(read(text).leaves.length).toBeLessThan(3);
  });

  it('keys, of which each has its place', () => {
    const { leaves } = read(`\nloader:\n${keys}`);
    expect(leaves).toHaveLength(5000);
    expect(leaves[0]?.place).toEqual({ line: 3, column: 2 });
    expect(leaves[4999]).toEqual({
      ...{ path: ['loader', 'k4999'], text: '1', place: { line: 5002, column: 2 } },
    });
  });

  it.each([
    ['a space is missing in many lines', `loader:\n${' workers:4\n'.repeat(90)}${keys}`],
    ['quotes that are not closed', filled('loader: ', '"a\n')],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow('Too many lines of the file are not YAML');
  });

  it.each([
    ['lists in lists', filled('a: ', '[')],
    ['maps in maps', filled('', '{a: ')],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow('nested too deeply');
  });

  it('and a larger one is not read', () => {
    expect(() => read(`${filled('loader: ', 'x')}\n\n`)).toThrow('larger than 64 KiB');
  });
});
