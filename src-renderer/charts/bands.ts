import { type Band, bandStyles } from './panel.ts';

/** Bands nearer to each other than this are drawn as one, px. */
const togetherPx = 2;

/** A shade's colour: of its run where there are several, else of what it says. */
export function bandColor({ kind, owner }: Band): string {
  return owner?.color ?? bandStyles[kind].color;
}

/** What of the bands is drawn in the window [from, to] ms at `width` px: clipped, and joined where no eye sees a gap. */
export function visibleBands(bands: readonly Band[], from: number, to: number, width: number): Band[] {
  const together = (togetherPx * (to - from)) / width;
  const drawn: Band[] = [];
  for (const band of bands) {
    if (band.toMs <= from || band.fromMs >= to) continue;
    const clipped = { ...band, fromMs: Math.max(from, band.fromMs), toMs: Math.min(to, band.toMs) };
    const before = drawn.findLast(
      ({ kind, owner }) => kind === band.kind && owner?.label === band.owner?.label,
    );
    if (before !== undefined && clipped.fromMs - before.toMs <= together) before.toMs = clipped.toMs;
    else drawn.push(clipped);
  }
  return drawn;
}

/** Milliseconds of each kind and owner, in the order of their first band. */
export function bandTotals(bands: readonly Band[]): { band: Band; totalMs: number }[] {
  const totals: { band: Band; totalMs: number }[] = [];
  for (const band of bands) {
    const same = totals.find(
      ({ band: { kind, owner } }) => kind === band.kind && owner?.label === band.owner?.label,
    );
    if (same) same.totalMs += band.toMs - band.fromMs;
    else totals.push({ band, totalMs: band.toMs - band.fromMs });
  }
  return totals;
}
