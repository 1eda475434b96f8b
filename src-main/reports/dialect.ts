import type { Phase } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';

/** How a tool tells of a phase, line by line. */
export interface Dialect {
  /** What it prints before the first line of figures. */
  head(about: PhaseAbout): string[];
  /** Give it the phase's ticks in order; it answers with the lines that each is due. */
  progress(about: PhaseAbout): (tick: Tick) => string[];
  /** The final report. @param ticks of the phase */
  end(about: PhaseAbout, phase: Phase, ticks: readonly Tick[]): string[];
}

export interface PhaseAbout {
  /** Of the step as executed. */
  parameters: Readonly<Record<string, unknown>>;
  /** Of the step as the plan has it. */
  plannedParameters: Readonly<Record<string, unknown>>;
  toolVersion: string;
  /** Of the run. */
  startedAt: string;
}
