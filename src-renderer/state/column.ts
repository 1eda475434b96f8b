/** A ring buffer of numbers that is always in one piece: charts read it as a plain array. */
export interface Column {
  push(value: number): void;
  /** Takes back the newest value. */
  pop(): void;
  /** The newest `capacity` values, oldest first. Valid until the next push. */
  view(): Float64Array;
}

/** Grows as needed; past `capacity` each new value pushes out the oldest. Appending costs the same however full it is. */
export function createColumn(capacity: number): Column {
  let buffer = new Float64Array(Math.min(capacity * 2, 512));
  let start = 0;
  let end = 0;
  return {
    push(value) {
      if (end === buffer.length) {
        const kept = buffer.subarray(Math.max(start, end - capacity + 1), end);
        const room = Math.min(capacity * 2, Math.max(buffer.length, kept.length * 2));
        // Twice the capacity: values are moved once for every `capacity` pushes, not with each.
        const next = new Float64Array(room);
        next.set(kept);
        buffer = next;
        start = 0;
        end = kept.length;
      }
      buffer[end] = value;
      end += 1;
      if (end - start > capacity) start += 1;
    },
    pop() {
      if (end > start) end -= 1;
    },
    view: () => buffer.subarray(start, end),
  };
}
