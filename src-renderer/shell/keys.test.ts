import { describe, expect, it } from 'vitest';
import { advance, keyCaps, strokeName } from './keys.ts';

const table = [
  { id: 'home', keys: 'g h' },
  { id: 'targets', keys: 'g t' },
  { id: 'new', keys: 'n' },
  { id: 'palette', keys: 'mod+k' },
  { id: 'help', keys: '?' },
  { id: 'unbound' },
];
const plain = { ctrlKey: false, metaKey: false, altKey: false };

/** Ids of the commands that a row of strokes hits. */
function type(strokes: readonly string[]): string[] {
  let pending: readonly string[] = [];
  const hits: string[] = [];
  for (const stroke of strokes) {
    const step = advance(table, pending, stroke);
    pending = step.pending;
    if (step.hit) hits.push(step.hit.id);
  }
  return hits;
}

describe('strokeName', () => {
  it('names letters, signs and the command key of either platform', () => {
    expect(strokeName({ ...plain, key: 'H' })).toBe('h');
    expect(strokeName({ ...plain, key: '?' })).toBe('?');
    expect(strokeName({ ...plain, key: 'k', ctrlKey: true })).toBe('mod+k');
    expect(strokeName({ ...plain, key: 'k', metaKey: true })).toBe('mod+k');
  });
  it('leaves named keys and Alt to the system', () => {
    expect(strokeName({ ...plain, key: 'Enter' })).toBeNull();
    expect(strokeName({ ...plain, key: 'h', altKey: true })).toBeNull();
  });
});

describe('advance', () => {
  it('finds single strokes and sequences', () => {
    expect(type(['n'])).toEqual(['new']);
    expect(type(['g', 't'])).toEqual(['targets']);
    expect(type(['mod+k'])).toEqual(['palette']);
  });
  it('waits after the first key of a sequence', () => {
    expect(advance(table, [], 'g')).toEqual({ hit: null, pending: ['g'] });
  });
  it('lets a stroke that ends no sequence begin a new one', () => {
    expect(type(['g', 'n'])).toEqual(['new']);
    expect(type(['g', 'g', 'h'])).toEqual(['home']);
  });
  it('forgets a sequence that leads nowhere', () => {
    expect(type(['g', 'x', 'h'])).toEqual([]);
  });
});

describe('keyCaps', () => {
  it('prints the caps of either platform', () => {
    expect(keyCaps('mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(keyCaps('mod+k', true)).toEqual(['⌘', 'K']);
    expect(keyCaps('g h', false)).toEqual(['G', 'H']);
  });
});
