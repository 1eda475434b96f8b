import type { WaitProfile } from './waits.ts';

export interface WaitComparison {
  /** As the first run that has it names it. */
  event: string;
  /** In the order of the runs, 0 to 1; null for a run whose server was not watched. */
  shares: (number | null)[];
}

const shown = 8;

/** The events with the largest share in any of the runs; versions name them with different capitals. */
export function compareWaits(profiles: readonly WaitProfile[]): WaitComparison[] {
  const names = new Map<string, string>();
  for (const { waits } of profiles)
    for (const { event } of waits) if (!names.has(event.toLowerCase())) names.set(event.toLowerCase(), event);
  const shareOf = ({ samples, waits }: WaitProfile, name: string) =>
    samples === 0 ? null : (waits.find(({ event }) => event.toLowerCase() === name)?.share ?? 0);
  return [...names]
    .map(([name, event]) => ({ event, shares: profiles.map((profile) => shareOf(profile, name)) }))
    .sort((a, b) => Math.max(...b.shares.map((s) => s ?? 0)) - Math.max(...a.shares.map((s) => s ?? 0)))
    .slice(0, shown);
}
