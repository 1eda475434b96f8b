/** Least and greatest seconds between the starts of two batches of a worker. */
export interface Interval {
  min: number;
  max: number;
}

export const intervalsHelp =
  'A list such as 1 or 1,0-5 or 2-4: seconds, or a range of whole seconds to draw from';

/**
 * TSBS's `insert-intervals`: `x` is at least x seconds, `x-y` whole seconds drawn from x up to, not including, y.
 * @returns one entry for each worker, the last for all further ones; null where the text is not such a list
 */
export function parseIntervals(text: string): Interval[] | null {
  if (text.trim() === '') return [];
  const intervals: Interval[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,6}(?:\.\d+)?)(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part);
    if (!match) return null;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : Number(match[2]);
    if (match[2] !== undefined && (max <= min || !Number.isInteger(min))) return null;
    intervals.push({ min, max });
  }
  return intervals;
}
