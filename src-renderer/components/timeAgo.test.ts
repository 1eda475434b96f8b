import { expect, it } from 'vitest';
import { exactTime, timeAgo } from './timeAgo.ts';

const now = new Date('2026-11-30T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

it.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 min ago'],
  [3599, '59 min ago'],
  [3600, '1 h ago'],
  [86_399, '23 h ago'],
  [86_400, '1 day ago'],
  [29 * 86_400, '29 days ago'],
])('%i s before is %s', (seconds, words) => {
  expect(timeAgo(before(seconds), now)).toBe(words);
});

it('is a date after a month, and never in the future', () => {
  const at = new Date(2026, 0, 5, 9, 8, 7);
  expect(timeAgo(at, now)).toBe('2026-01-05');
  expect(exactTime(at)).toBe('2026-01-05 09:08:07');
  expect(timeAgo(before(-5), now)).toBe('just now');
});
