import { useEffect, useMemo } from 'react';
import { mostSides } from '../../src-shared/model/sideKey.ts';
import { runColor } from './panel.ts';

/** Place of each run or group among the eight colours. */
type Places = ReadonlyMap<string, number>;

/** Colours in use: from the list, where runs are chosen, to the charts a run keeps its own. */
let inUse: Places = new Map();

/** Whoever is there still keeps its colour; who is new gets the first that is free. */
export function assignColors(before: Places, keys: readonly string[]): Places {
  const places = new Map<string, number>();
  for (const key of keys) {
    const place = before.get(key);
    if (place !== undefined && ![...places.values()].includes(place)) places.set(key, place);
  }
  for (const [i, key] of keys.entries()) {
    if (places.has(key)) continue;
    const taken = new Set(places.values());
    const free = Array.from({ length: mostSides }, (_, place) => place).find((place) => !taken.has(place));
    places.set(key, free ?? i % mostSides);
  }
  return places;
}

/** The colour of each run or group that stands side by side with the others. */
export function useSideColors(keys: readonly string[]): (key: string) => string {
  const joined = keys.join(',');
  const places = useMemo(() => assignColors(inUse, joined === '' ? [] : joined.split(',')), [joined]);
  useEffect(() => {
    // Where nothing is chosen the colours wait for the way back.
    if (places.size > 0) inUse = places;
  }, [places]);
  return (key) => runColor(places.get(key) ?? 0);
}
