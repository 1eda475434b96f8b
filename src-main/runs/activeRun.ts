import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { HealthSample } from '../../src-shared/model/host.ts';
import {
  type Phase,
  type Run,
  type RunEvent,
  type RunHead,
  type RunHost,
  type RunStatus,
  runHeadSchema,
} from '../../src-shared/model/run.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { ServerSample, ServerWatch } from '../../src-shared/model/telemetry.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import type { Verdict } from '../../src-shared/model/verdict.ts';
import { nowNs, nsPerMs } from '../load/clock.ts';
import type { Snapshot } from '../load/job.ts';
import { type HealthEvidence, healthEvidence, type PhaseEvidence } from './evidence.ts';
import { isAlive } from './owner.ts';
import { ProgressMeter } from './progress.ts';
import type { RunnerDependencies, RunRequest } from './runner.ts';
import { verdictsOf } from './verdicts.ts';

/** What of a tick the verdicts need: kept for the length of a run, one a second. */
type TickEvidence = Pick<Tick, 'phase' | 'intervalMs' | 'client'>;

/**
 * The record of the run that is on: everything that becomes known of it goes through here, is stored first and published
 * then.
 */
export class ActiveRun {
  readonly id = randomUUID();
  readonly abort = new AbortController();
  readonly progress: ProgressMeter;
  readonly #dependencies: RunnerDependencies;
  readonly #startNs = nowNs();
  readonly #evidence: PhaseEvidence[] = [];
  readonly #ticks: TickEvidence[] = [];
  readonly #health: HealthEvidence[] = [];
  #head: RunHead;
  #seq = 0;
  #server: ServerDescription | null = null;
  #host: RunHost | null = null;

  readonly #beside: readonly string[];
  readonly #thresholds: RunRequest['thresholds'];

  /** @param beside targets of the runs that are on at the same time by intention */
  constructor(
    request: RunRequest,
    name: string,
    group: string | null,
    beside: readonly string[],
    dependencies: RunnerDependencies,
  ) {
    this.#dependencies = dependencies;
    this.#beside = beside;
    this.#thresholds = request.thresholds;
    const { health } = request;
    if (health) {
      const unknown = { before: null, after: null, gate: null, quieted: null, place: null };
      this.#host = { name: health.hostName, ...unknown };
    }
    const run: Run = {
      id: this.id,
      name,
      status: 'preparing',
      verdicts: [],
      targetName: request.targetName,
      engine: request.driver.id,
      serverLabel: null,
      startedAt: new Date().toISOString(),
      endedAt: null,
      tags: [],
      notes: '',
      tps: null,
      rowsPerSecond: null,
      rows: null,
      p99Us: null,
      group,
      plan: request.plan,
      resolvedSteps: request.steps.map(({ id, parameters }) => ({
        id,
        parameters: z.record(z.string(), z.json()).parse(parameters),
      })),
      seed: (request.phases.find(({ kind }) => kind !== 'initialize') ?? request.phases[0])?.seed ?? null,
      client: dependencies.client,
      server: null,
      host: this.#host,
      phases: [],
      error: null,
    };
    dependencies.runs.create(run, dependencies.owner, isAlive);
    this.#head = runHeadSchema.parse(run);
    const units = request.phases.reduce(
      (n, phase) => n + (phase.kind === 'queries' ? phase.jobs.length : 1),
      0,
    );
    this.progress = new ProgressMeter(this.id, units, (progress) =>
      dependencies.publish('run.progress', progress),
    );
    this.#changed(false);
  }

  get head(): RunHead {
    return this.#head;
  }
  get signal(): AbortSignal {
    return this.abort.signal;
  }
  get phases(): Phase[] {
    return this.#evidence.map(({ phase }) => phase);
  }

  /** Milliseconds since the run's start of a moment on the clock of `nowNs`. */
  atMs(ns: number): number {
    return Math.max(0, (ns - this.#startNs) / nsPerMs);
  }

  event(kind: RunEvent['kind'], text: string): void {
    const event: RunEvent = { runId: this.id, atMs: this.atMs(nowNs()), kind, text };
    this.#dependencies.runs.appendEvent(event);
    this.#dependencies.publish('run.event', event);
  }

  /** Figures made beside others stand with that fact. */
  tellSharing(): void {
    if (this.#beside.length === 0) return;
    const others = this.#beside.join(', ');
    this.event(
      'note',
      `Runs at once with ${others}: they share the processor and the network of this machine`,
    );
  }

  describe(server: ServerDescription): void {
    this.#server = server;
    this.#update({ server });
  }

  /** What is known of the machine behind the target. */
  describeHost(part: Partial<RunHost>): void {
    if (this.#host === null) return;
    this.#host = { ...this.#host, ...part };
    this.#update({ host: this.#host });
  }

  health(sample: HealthSample): void {
    this.#health.push(healthEvidence(sample));
    this.#dependencies.runs.appendHealth(this.id, sample);
    this.#dependencies.publish('run.health', { runId: this.id, sample });
  }

  server(sample: ServerSample): void {
    this.#dependencies.runs.appendServer(this.id, sample);
    this.#dependencies.publish('run.server', { runId: this.id, sample });
  }

  /** What is kept of the server's telemetry beside its samples. */
  keepServerWatch(watch: ServerWatch): void {
    this.#dependencies.runs.keepServerWatch(this.id, watch);
    this.#dependencies.publish('run.serverWatch', { runId: this.id, watch });
  }

  /** The measured time of a phase begins. */
  phaseStarted(evidence: PhaseEvidence): void {
    this.#evidence.push(evidence);
    this.progress.phase(evidence.phase.index, evidence.phase.name, 'running');
    this.#update({ status: 'running', phases: this.phases });
    this.event('phase-start', `${evidence.phase.name} starts`);
  }

  /** New figures of the newest phase. */
  phaseChanged(phase: Phase): void {
    const last = this.#evidence.at(-1);
    if (!last) throw new Error('no phase has started');
    this.#evidence[this.#evidence.length - 1] = { ...last, phase };
    this.#update({ phases: this.phases });
  }

  tick(phase: number, snapshot: Snapshot): void {
    const tick: Tick = {
      runId: this.id,
      phase,
      seq: this.#seq,
      atMs: this.atMs(snapshot.endNs),
      intervalMs: snapshot.intervalMs,
      operations: snapshot.operations,
      ...(snapshot.transactions && { transactions: snapshot.transactions }),
      ...(snapshot.making && { making: snapshot.making }),
      client: snapshot.client,
    };
    this.#seq += 1;
    this.#ticks.push({ phase, intervalMs: tick.intervalMs, client: tick.client });
    this.#dependencies.runs.appendTick(tick, snapshot.histograms);
    this.#dependencies.publish('run.tick', tick);
  }

  /**
   * The end, once. Published even where it could not be stored, with a notice that says so.
   * @param error what ended the run early
   */
  end(error: AppError | null, about: { generatedOnly: boolean; sameMachine: boolean }): void {
    const stopped = error?.code === 'cancelled';
    const status: RunStatus = error === null ? 'finished' : stopped ? 'cancelled' : 'failed';
    const data = error === null || stopped ? null : error.toData();
    let verdicts = verdictsOf({
      status,
      error: data,
      phases: this.#evidence,
      ticks: this.#ticks,
      health: this.#health,
      // What takes no queries keeps no rows: nothing is behind the loader.
      loaderOnly: about.generatedOnly || this.#server?.dialect === 'none',
      sameMachine: about.sameMachine,
      beside: this.#beside.length,
      clientCores: this.#dependencies.client.cores,
    });
    const endedAt = new Date().toISOString();
    try {
      if (status === 'finished') verdicts = this.#heldToThresholds(verdicts);
      if (data) this.event('error', data.detail ? `${data.message}: ${data.detail}` : data.message);
      this.#head = this.#dependencies.runs.update(this.id, {
        status,
        verdicts,
        error: data,
        endedAt,
      });
    } catch (thrown) {
      const failure = toAppError(thrown);
      this.#head = { ...this.#head, status, verdicts, endedAt };
      this.#dependencies.publish('notice', {
        level: 'error',
        text: `The end of the run ${this.#head.name} could not be stored`,
        error: failure.toData(),
      });
    }
    this.progress.close();
    this.#changed(true);
  }

  /** What became of each threshold is an event; those that were missed are verdicts. */
  #heldToThresholds(verdicts: Verdict[]): Verdict[] {
    const run = this.#thresholds ? this.#dependencies.runs.get(this.id) : null;
    const results = (run && this.#thresholds?.({ ...run, status: 'finished', verdicts })) ?? [];
    for (const { text, kept, detail } of results)
      this.event('note', `Threshold ${kept ? 'kept' : 'missed'}: ${text} (${detail})`);
    const missed = results
      .filter(({ kept }) => !kept)
      .map(
        ({ text, detail }): Verdict => ({
          code: 'threshold-missed',
          reason: `The plan wants ${text}: ${detail}.`,
          advice: 'See what differs from runs that kept it, or change the threshold where it asks too much.',
        }),
      );
    return missed.length === 0 ? verdicts : [...verdicts.filter(({ code }) => code !== 'valid'), ...missed];
  }

  #update(patch: Parameters<RunnerDependencies['runs']['update']>[1]): void {
    this.#head = this.#dependencies.runs.update(this.id, patch);
    this.#changed(false);
  }

  #changed(final: boolean): void {
    this.#dependencies.publish('run.changed', { head: this.#head, final });
  }
}
