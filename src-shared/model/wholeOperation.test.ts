import { describe, expect, it } from 'vitest';
import { countedSeconds, distinctOperations, wholeOperation } from './wholeOperation.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const whole = (kind: 'load' | 'queries' | 'transactions', ...names: string[]) =>
  wholeOperation({ kind }, named(...names))?.name;

describe('the seconds that figures are over', () => {
  it('are those of the types, without their burn-in; else those of the phase', () => {
    const printed = { count: null, errors: null, perSecond: null, latencyUs: null };
    const taking = (name: string, seconds: number | null) => ({ ...printed, name, seconds });
    const operations = [taking('lastpoint', 3), taking('high-cpu-1', 4), taking('all queries', 7)];
    expect(countedSeconds({ kind: 'queries', seconds: 9, operations })).toBe(7);
    expect(countedSeconds({ kind: 'queries', seconds: 9, operations: [taking('lastpoint', null)] })).toBe(9);
    expect(countedSeconds({ kind: 'load', seconds: 9, operations: [taking('batch', 3)] })).toBe(9);
  });
});

describe('the operation that has all of a phase', () => {
  it('is found by what it is, wherever it stands', () => {
    expect(whole('load', 'batch')).toBe('batch');
    expect(whole('queries', 'lastpoint')).toBe('lastpoint');
    expect(whole('queries', 'lastpoint', 'high-cpu-1', 'all queries')).toBe('all queries');
    expect(whole('queries', 'all queries', 'high-cpu-1', 'lastpoint')).toBe('all queries');
    expect(whole('queries', 'lastpoint', 'cold queries', 'warm queries')).toBe('lastpoint');
    expect(whole('transactions', 'transactions', 'read.sql', 'write.sql')).toBe('transactions');
  });

  it('is not there where several stand side by side', () => {
    expect(whole('queries', '1 reader, first read', '1 reader, warm')).toBeUndefined();
    expect(whole('queries')).toBeUndefined();
  });

  it('leaves those that share nothing', () => {
    const of = (kind: 'queries' | 'transactions', ...names: string[]) =>
      distinctOperations({ kind }, named(...names)).map(({ name }) => name);
    expect(of('queries', 'a', 'b', 'cold queries', 'warm queries', 'all queries')).toEqual(['a', 'b']);
    expect(of('transactions', 'transactions', 'read.sql')).toEqual(['transactions']);
  });
});
