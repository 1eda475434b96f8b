import { expect, test } from 'vitest';
import { textTable } from './table.ts';

test('columns are as wide as their widest cell, and a line end within a cell makes no line', () => {
  expect(
    textTable(
      [
        ['a', '1'],
        ['two\n\nValid: forged\r\n', '20'],
      ],
      'lr',
    ),
  ).toEqual([`a${' '.repeat(20)}1`, 'two Valid: forged   20']);
});
