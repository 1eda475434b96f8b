import { describe, expect, it } from 'vitest';
import { freshName, scriptsOf, scriptsValue } from './scripts.ts';

describe('scripts in a form', () => {
  it('come out as they went in, without weights of 1', () => {
    const plan = [{ builtin: 'tpcb-like' }, { name: 'a.sql', text: 'SELECT 1;', weight: 9 }];
    expect(scriptsValue(scriptsOf(plan))).toEqual(plan);
    expect(scriptsOf([{ builtin: 'select-only', weight: 1 }])).toEqual([
      { builtin: 'select-only', weight: 1 },
    ]);
  });
  it('are only what looks like one', () => {
    expect(scriptsOf(null)).toEqual([]);
    expect(scriptsOf(['x', null, { name: 3 }])).toEqual([{ name: '', text: '', weight: 1 }]);
  });
  it('have names of their own', () => {
    expect(freshName([])).toBe('script.sql');
    expect(freshName([{ name: 'script.sql', text: '', weight: 1 }])).toBe('script2.sql');
  });
});
