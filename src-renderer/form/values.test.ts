import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FormField } from '../../src-shared/model/form.ts';
import {
  checkField,
  differs,
  effective,
  fromText,
  groupFields,
  shownText,
  toText,
  withValue,
} from './values.ts';

function field(partial: Partial<FormField>): FormField {
  return {
    key: 'scale',
    label: 'Scale',
    help: '',
    group: 'Data',
    advanced: false,
    unit: null,
    kind: 'integer',
    options: [],
    min: null,
    max: null,
    required: false,
    default: 100,
    ...partial,
  };
}

describe('a number that may be a list', () => {
  const number = field({});
  it.each([
    ['4', 4],
    ['1,000', 1000],
    ['1,000,000', 1_000_000],
    ['4, 8, 12', [4, 8, 12]],
    ['4,8,12', [4, 8, 12]],
    ['[4, 8]', [4, 8]],
    ['100; 1,000; 10,000', [100, 1000, 10_000]],
    ['1,000, 10,000', [1000, 10_000]],
    ['1000,10000', [1000, 10_000]],
    ['4,', 4],
    ['-1, 2.5', [-1, 2.5]],
    ['4, x', '4, x'],
    ['10 000', '10 000'],
  ])('%s', (text, value) => {
    expect(fromText(number, text, true)).toEqual(value);
  });
  it('is none elsewhere', () => {
    expect(fromText(number, '4, 8')).toBe('4, 8');
    expect(fromText(number, '1,000')).toBe(1000);
  });
  it('is shown as it is typed, and is read again as what it was', () => {
    expect(shownText(number, [4, 8_000, 1_000_000])).toBe('4, 8,000, 1,000,000');
    const lists = fc.array(fc.integer({ min: 0 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(lists, (list) => {
        expect(fromText(number, shownText(number, list), true)).toEqual(list);
      }),
    );
  });
});

describe('values of a form', () => {
  it('hold only what was set', () => {
    const scale = field({});
    expect(effective(scale, {})).toBe(100);
    const set = withValue({}, 'scale', 40);
    expect(set).toEqual({ scale: 40 });
    expect(effective(scale, set)).toBe(40);
    expect(withValue(set, 'scale', undefined)).toEqual({});
  });
  it('tell what differs from the default, also in lists', () => {
    const types = field({ key: 'types', kind: 'choices', default: ['a', 'b'] });
    expect(differs(types, {})).toBe(false);
    expect(differs(types, { types: ['a', 'b'] })).toBe(false);
    expect(differs(types, { types: ['b'] })).toBe(true);
    expect(differs(field({ default: false, kind: 'boolean' }), { scale: false })).toBe(false);
  });
});

describe('text of a control', () => {
  it('becomes a number where one is asked for, and stays text where it is none', () => {
    expect(fromText(field({}), '1,000,000')).toBe(1_000_000);
    expect(fromText(field({}), 'many')).toBe('many');
    expect(fromText(field({}), '  ')).toBeUndefined();
    expect(fromText(field({ kind: 'duration' }), '10s')).toBe('10s');
  });
  it('shows amounts with separators, ports without, and reads both', () => {
    expect(shownText(field({}), 1_000_000)).toBe('1,000,000');
    expect(shownText(field({ max: 65_535 }), 5432)).toBe('5432');
    expect(shownText(field({}), 1.5)).toBe('1.5');
    expect(shownText(field({ kind: 'text' }), '2016')).toBe('2016');
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(fromText(field({}), shownText(field({}), number))).toBe(number);
      }),
    );
  });
  it('is the same number again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(fromText(field({ kind: 'number' }), toText(number))).toBe(
          number === 0 ? Number(String(number)) : number,
        );
      }),
    );
  });
});

describe('checkField', () => {
  it('wants what is required', () => {
    expect(checkField(field({ required: true, default: null }), null)).toBe('Scale is needed');
    expect(checkField(field({ required: true, kind: 'text' }), '')).toBe('Scale is needed');
    expect(checkField(field({ default: null }), null)).toBeNull();
  });
  it('holds numbers to their range and kind', () => {
    expect(checkField(field({ min: 1, max: 10 }), 11)).toBe('Scale is between 1 and 10');
    expect(checkField(field({ min: 1 }), 0)).toBe('Scale is at least 1');
    expect(checkField(field({ max: 9 }), 10)).toBe('Scale is at most 9');
    expect(checkField(field({ min: 1, max: 10 }), 10)).toBeNull();
    expect(checkField(field({}), 1.5)).toBe('Scale is a whole number');
    expect(checkField(field({ kind: 'number' }), 1.5)).toBeNull();
    expect(checkField(field({}), 'many')).toBe('Scale is a number');
  });
  it('knows the choices', () => {
    const mode = field({ kind: 'choice', options: [{ value: 'copy', label: 'COPY', help: null }] });
    expect(checkField(mode, 'copy')).toBeNull();
    expect(checkField(mode, 'ftp')).toBe('ftp is not one of the choices');
  });
});

describe('groupFields', () => {
  it('keeps the order and folds advanced fields away', () => {
    const fields = [
      field({ key: 'a', group: 'Data' }),
      field({ key: 'b', group: 'Load' }),
      field({ key: 'c', group: 'Data' }),
      field({ key: 'd', group: 'Data', advanced: true }),
    ];
    const { groups, advanced } = groupFields(fields);
    expect(groups.map((g) => [g.title, g.fields.map((f) => f.key)])).toEqual([
      ['Data', ['a', 'c']],
      ['Load', ['b']],
    ]);
    expect(advanced.map((g) => [g.title, g.fields.map((f) => f.key)])).toEqual([['Data', ['d']]]);
  });
});
