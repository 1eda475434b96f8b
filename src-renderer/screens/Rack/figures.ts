import type { DatedChecks } from '../../../src-shared/model/host.ts';
import { type RackRate, type RackResult, rackRates } from '../../../src-shared/model/rack.ts';

/** What an fsync was last measured at on a machine, ms; null where it was not. */
export function fsyncOf(measured: DatedChecks | null): number | null {
  return measured?.checks.find(({ id }) => id === 'fsync')?.value ?? null;
}

/** Rates that any host of a result has: the columns of its table. */
export function ratesOf({ hosts }: Pick<RackResult, 'hosts'>): RackRate[] {
  return rackRates.filter((rate) => hosts.some(({ figures }) => (figures?.[rate] ?? null) !== null));
}
