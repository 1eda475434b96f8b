import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { facetKeys } from '../model/facet.ts';
import { type FilterTerm, formatRunFilter, isValues, parseRunFilter, sameTerm } from './runFilter.ts';

const now = new Date('2026-11-30T12:00:00.000Z');
const terms = (text: string) => {
  const filter = parseRunFilter(text, now);
  expect(filter.problems).toEqual([]);
  return filter.terms;
};
const problem = (text: string) => parseRunFilter(text, now).problems[0]?.message;

describe('what can be written', () => {
  test('keys, words and a date side by side', () => {
    expect(terms('engine:questdb tag:nvme verdict:valid since:2026-11-01 text')).toEqual([
      { kind: 'facet', key: 'engine', value: 'questdb', not: false },
      { kind: 'facet', key: 'tag', value: 'nvme', not: false },
      { kind: 'facet', key: 'verdict', value: 'valid', not: false },
      { kind: 'since', value: '2026-11-01', at: '2026-11-01T00:00:00.000Z', not: false },
      { kind: 'text', value: 'text', not: false },
    ]);
  });
  test('quotes hold spaces, colons and quotes; one that is not closed reaches to the end', () => {
    expect(terms(`pi:"pi 5" "a:b \\"c\\"" tag:"hot st`)).toMatchObject([
      { key: 'pi', value: 'pi 5' },
      { kind: 'text', value: 'a:b "c"' },
      { key: 'tag', value: 'hot st' },
    ]);
  });
  test('a minus turns a term round, and alone is a text', () => {
    expect(terms('-tag:x -slow - --')).toMatchObject([
      { key: 'tag', value: 'x', not: true },
      { value: 'slow', not: true },
      { value: '-', not: false },
      { value: '-', not: true },
    ]);
  });
  test('keys have no case, and a time of day is a text', () => {
    expect(terms('TAG:Nvme 10:30')).toMatchObject([{ key: 'tag', value: 'Nvme' }, { value: '10:30' }]);
  });
  test('the end is meant with its whole day; ages count back from now', () => {
    expect(terms('until:2026-11-01 until:2026-11-01T10:30 since:7d since:12h since:1w')).toMatchObject([
      { at: '2026-11-02T00:00:00.000Z' },
      { at: '2026-11-01T10:30:00.000Z' },
      { at: '2026-11-23T12:00:00.000Z' },
      { at: '2026-11-30T00:00:00.000Z' },
      { at: '2026-11-23T12:00:00.000Z' },
    ]);
  });
});

describe('what cannot be read is told, and the rest holds', () => {
  test.each([
    ['egnine:questdb', 'A filter has no key egnine'],
    ['tag:', 'tag: needs a value'],
    ['tag:""', 'tag: needs a value'],
    ['since:2026-02-30', '2026-02-30 is no date'],
    ['since:yesterday', 'yesterday is no date'],
    ['verdict:vaild', 'There is no verdict vaild'],
    ['is:new', 'is: knows archived and any, not new'],
  ])('%s', (text, message) => {
    expect(problem(text)).toBe(message);
    expect(parseRunFilter(`${text} tag:x`, now).terms).toMatchObject([{ key: 'tag', value: 'x' }]);
  });
  test('the nearest key and value are offered', () => {
    expect(parseRunFilter('egnine:x', now).problems[0]?.hint).toContain('engine: was probably meant');
    expect(parseRunFilter('verdict:vaild', now).problems[0]?.hint).toBe('verdict:valid was probably meant.');
  });
});

describe('properties', () => {
  const open = facetKeys.filter((key) => key !== 'verdict' && key !== 'status');
  const not = fc.boolean();
  const value = fc.string({ unit: 'binary', minLength: 1 });
  const term: fc.Arbitrary<FilterTerm> = fc.oneof(
    fc.record({ kind: fc.constant('text' as const), value, not }),
    fc.record({ kind: fc.constant('facet' as const), key: fc.constantFrom(...open), value, not }),
    fc.record({ kind: fc.constant('is' as const), value: fc.constantFrom(...isValues), not }),
    fc
      .record({
        kind: fc.constantFrom('since' as const, 'until' as const),
        days: fc.integer({ min: 0, max: 99_999 }),
        not,
      })
      .map(({ kind, days, ...rest }) => ({
        kind,
        value: `${days}d`,
        at: new Date(now.getTime() - days * 86_400_000).toISOString(),
        ...rest,
      })),
  );
  test('what is written of terms reads as the same terms', () => {
    fc.assert(
      fc.property(fc.array(term), (written) => {
        expect(parseRunFilter(formatRunFilter(written), now)).toEqual({ terms: written, problems: [] });
      }),
    );
  });
  test('any text can be read, and what was read reads the same once written again', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-:"\\ a-z]{0,20}$/)),
        (text) => {
          const { terms: read } = parseRunFilter(text, now);
          expect(parseRunFilter(formatRunFilter(read), now)).toEqual({ terms: read, problems: [] });
        },
      ),
    );
  });
  test('no character of a text is lost but spaces between terms', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9äöü%_.]+$/), { minLength: 1 }), (words) => {
        expect(terms(words.join('  ')).map((each) => each.kind === 'text' && each.value)).toEqual(words);
      }),
    );
  });
  test('terms are the same whatever their quotes', () => {
    const [a, b, c] = terms('tag:x tag:"x" -tag:x');
    expect(a && b && c && [sameTerm(a, b), sameTerm(a, c)]).toEqual([true, false]);
  });

  test('a filter has so many terms at most; what is behind them is named', () => {
    const read = parseRunFilter('slow '.repeat(200), now);
    expect(read.problems).toEqual([]);
    expect(read.terms).toHaveLength(200);
    const { terms, problems } = parseRunFilter(`${'slow '.repeat(200)}card pi:5`, now);
    expect(terms).toHaveLength(200);
    expect(problems).toEqual([{ text: 'card', message: 'A filter has at most 200 terms', hint: null }]);
  });
});
