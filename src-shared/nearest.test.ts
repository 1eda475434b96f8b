import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it.each([
    ['batchsize', ['batchSize', 'workers'], 'batchSize'],
    ['wokrers', ['batchSize', 'workers'], 'workers'],
    ['sandbx', ['sandbox', 'null'], 'sandbox'],
    ['timestampStrat', ['timestampStart', 'timestampEnd'], 'timestampStart'],
    ['sale', ['seed', 'scale'], 'scale'],
  ])('%s among %j is %s', (text, names, expected) => {
    expect(nearest(text, names)).toBe(expected);
  });
  it('says nothing where nothing is near', () => {
    expect(nearest('zzzzzz', ['sandbox', 'null'])).toBeNull();
    expect(nearest('anything', [])).toBeNull();
  });
});
