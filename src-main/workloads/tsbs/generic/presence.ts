import { Schedule, type Simulation } from '../simulation.ts';
import { lifetimes } from './hosts.ts';

/** Which hosts are there in which epochs: each comes by the ramp, and half of them leave again. */
export class Presence {
  readonly schedule: Schedule;
  /** Epochs from and up to, not including, which a host is there. */
  readonly from: Float64Array;
  readonly until: Float64Array;

  constructor(simulation: Simulation) {
    this.schedule = new Schedule({ ...simulation, initialScale: ramp(simulation), limit: 0 });
    const { scale, epochs } = this.schedule;
    this.from = this.#beginnings();
    this.until = Float64Array.from(lifetimes(scale, epochs), (life, host) =>
      life === 0 ? Number.POSITIVE_INFINITY : (this.from[host] as number) + life,
    );
  }

  isThere(host: number, epoch: number): boolean {
    return epoch >= (this.from[host] as number) && epoch < (this.until[host] as number);
  }

  /**
   * Rows written in all.
   * @param counts which hosts count; all of them unless given
   */
  countRows(counts: (host: number) => boolean = () => true): number {
    const { scale, points } = this.schedule;
    let rows = 0;
    for (let host = 0; host < scale; host++) {
      if (!counts(host)) continue;
      const made = Math.max(0, Math.ceil((points - host) / scale));
      rows += Math.max(0, Math.min(made, this.until[host] as number) - (this.from[host] as number));
    }
    return rows;
  }

  /** The first epoch in which each host is there. */
  #beginnings(): Float64Array {
    const { scale, epochs } = this.schedule;
    const from = new Float64Array(scale).fill(Number.POSITIVE_INFINITY);
    let known = 0;
    for (let epoch = 0; epoch < epochs && known < scale; epoch++)
      for (const visible = this.schedule.visible(epoch); known < visible; known++) from[known] = epoch;
    return from;
  }
}

/** Rows of a simulation of the use case, without simulating it. */
export function genericRows(simulation: Simulation): number {
  const rows = new Presence(simulation).countRows();
  return simulation.limit > 0 ? Math.min(rows, simulation.limit) : rows;
}

/** Where nothing is said of the ramp, half of the hosts are there at first. */
function ramp({ scale, initialScale }: Simulation): number {
  return initialScale === 0 || initialScale === scale ? Math.max(1, Math.floor(scale / 2)) : initialScale;
}
