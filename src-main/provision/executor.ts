import { randomUUID } from 'node:crypto';
import { AppError, cancelled, toAppError } from '../../src-shared/errors.ts';
import type { Provisioning, ProvisionPlan } from '../../src-shared/model/provision.ts';
import type { Remote } from '../hosts/remote.ts';
import type { StoredProvisioning } from '../store/repositories.ts';
import { applySteps } from './apply.ts';
import { onHost } from './failures.ts';
import { readJournals } from './journal.ts';
import { type Ledger, openLedger } from './ledger.ts';
import type { ExecutorOptions } from './options.ts';
import { makePassword } from './password.ts';
import {
  missingSecrets,
  type PlannedStep,
  planSteps,
  refusals,
  type Secrets,
  secretKeys,
  shownStep,
  withoutSecrets,
} from './planned.ts';
import { preflight } from './preflight.ts';
import { undoSteps } from './undo.ts';

/** Plans, applies, resumes and undoes what recipes say, one piece of work a host at a time. */
export interface Executor {
  /** Looks at everything, changes nothing; also takes over what the host remembers of other workbenches. */
  plan(plan: ProvisionPlan, signal: AbortSignal): Promise<Provisioning>;
  /** As it stands now. @throws AppError `not-found` */
  get(id: string): Provisioning;
  /** Begins or resumes; the rest is published. @throws AppError `not-found`, `run-active` */
  apply(id: string): Provisioning;
  undo(id: string): Provisioning;
  /**
   * Keeps a secret of a plan anew, where it is kept no longer. @param field its path: `recipes[0].password`
   * @throws AppError `not-found`, `bad-input`
   */
  setSecret(id: string, field: string, secret: string): Promise<void>;
  /** The secrets that were made up for a plan, as far as they are kept still. @throws AppError `not-found` */
  generated(id: string): Promise<{ field: string; secret: string }[]>;
  /** Ends it between steps or within one; resolves when it has ended. */
  cancel(id: string): Promise<void>;
  /** The steps of a plan, for the exported script. Secrets that are kept no longer have a stand-in: they are not in it. */
  steps(id: string): Promise<PlannedStep[]>;
  /** Resolves when the work on this id has ended, at once where there is none. */
  ended(id: string): Promise<void>;
  close(): Promise<void>;
}

type Act = (ledger: Ledger, remote: Remote, signal: AbortSignal) => Promise<'done' | 'undone'>;

const secretId = (id: string, key: string) => `provision-${id}-${key}`;

export function createExecutor(options: ExecutorOptions): Executor {
  const { repository, owner, now } = options;
  const active = new Map<string, { ledger: Ledger; controller: AbortController; done: Promise<void> }>();

  for (const orphan of repository.orphans(options.isAlive)) repository.save(cutOff(orphan, now()));

  function load(id: string): StoredProvisioning {
    const stored = repository.get(id);
    if (stored) return stored;
    throw new AppError({
      code: 'not-found',
      message: `There is no provisioning with the id ${JSON.stringify(id)}`,
    });
  }

  async function secretsOf(id: string, plan: ProvisionPlan): Promise<Secrets> {
    const found: Record<string, string> = {};
    for (const key of secretKeys(plan)) {
      const secret = await options.secrets.get(secretId(id, key));
      if (secret === null) throw forgotten(key);
      found[key] = secret;
    }
    return found;
  }

  function begin(id: string, status: 'applying' | 'undoing', work: Act): Provisioning {
    const running = active.get(id);
    if (running) return running.ledger.value;
    const stored = load(id);
    const { hostId } = stored.provisioning;
    const other = [...active.values()].some((each) => each.ledger.value.hostId === hostId);
    if (other || (stored.owner !== null && options.isAlive(stored.owner))) throw busy();
    const ledger = openLedger({ ...stored, owner }, repository, options.publish, now);
    const controller = new AbortController();
    ledger.update({ status, error: null });
    const done = run(ledger, controller.signal, work);
    active.set(id, { ledger, controller, done });
    return ledger.value;
  }

  /** The last state is told when all is over, so that whoever hears it may begin anew. */
  async function run(ledger: Ledger, signal: AbortSignal, work: Act): Promise<void> {
    let remote: Remote | null = null;
    let end: Pick<Provisioning, 'status' | 'error'>;
    try {
      remote = await options.connect(ledger.value.hostId, signal);
      end = { status: await work(ledger, remote, signal), error: null };
    } catch (thrown) {
      const error = toAppError(thrown);
      const stopped = signal.aborted || error.code === 'cancelled';
      end = stopped
        ? { status: 'cancelled', error: cancelled('Stopped before all was done').toData() }
        : { status: 'failed', error: (remote ? onHost(error, remote.address) : error).toData() };
    }
    await remote?.close();
    active.delete(ledger.value.id);
    ledger.own(null);
    ledger.update(end);
    ledger.flush();
  }

  return {
    async plan(wholePlan, signal) {
      const { plan, secrets } = withoutSecrets(wholePlan);
      const id = randomUUID();
      const remote = await options.connect(plan.hostId, signal);
      try {
        const host = await options.inventory(plan.hostId, remote, signal);
        const lines = [...(await preflight(remote, host, signal)), ...refusals(plan, secrets, host)];
        const steps = planSteps(plan, secrets, host);
        const ledger = openLedger(
          {
            provisioning: {
              id,
              hostId: plan.hostId,
              plan,
              status: 'planned',
              preflight: lines,
              steps: steps.map(shownStep),
              targetId: null,
              error: null,
              generated: [],
              updatedAt: now().toISOString(),
            },
            saved: {},
            host,
            owner: null,
          },
          repository,
          options.publish,
          now,
        );
        const rights = lines.every(({ id: line, result }) => line !== 'sudo' || result === 'pass');
        if (rights) {
          for (const { id: stepId, step } of steps) {
            ledger.updateStep(stepId, { state: 'checking' });
            const { done, evidence } = await step.check(remote, signal);
            // What it will run may depend on what it has seen.
            const script = step.apply();
            ledger.updateStep(stepId, { state: done ? 'already-so' : 'to-do', evidence, script });
          }
          await takeOver(plan.hostId, await readJournals(remote, signal));
        }
        const todo = steps.filter((step) => ledger.step(step.id).state === 'to-do');
        const made = missingSecrets(plan, todo, makePassword);
        ledger.update({ plan: made.plan, generated: Object.keys(made.secrets) });
        for (const [key, secret] of Object.entries({ ...secrets, ...made.secrets }))
          await options.secrets.set(secretId(id, key), secret);
        ledger.own(null);
        ledger.flush();
        return ledger.value;
      } finally {
        await remote.close();
      }
    },
    get: (id) => active.get(id)?.ledger.value ?? load(id).provisioning,
    apply(id) {
      return begin(id, 'applying', async (ledger, remote, signal) => {
        const secrets = await secretsOf(id, ledger.value.plan);
        await applySteps({ ledger, remote, secrets, signal, options });
        await options.inventory(ledger.value.hostId, remote, signal);
        return 'done';
      });
    },
    undo: (id) =>
      begin(id, 'undoing', async (ledger, remote, signal) => {
        await undoSteps({ ledger, remote, signal, options });
        for (const key of secretKeys(ledger.value.plan)) await options.secrets.remove(secretId(id, key));
        await options.inventory(ledger.value.hostId, remote, signal);
        return 'undone';
      }),
    async generated(id) {
      const { generated } = load(id).provisioning;
      const kept = generated.map(async (field) => ({
        field,
        secret: await options.secrets.get(secretId(id, field)),
      }));
      return (await Promise.all(kept)).flatMap(({ field, secret }) =>
        secret === null ? [] : [{ field, secret }],
      );
    },
    async setSecret(id, field, secret) {
      if (!secretKeys(load(id).provisioning.plan).includes(field)) {
        throw new AppError({
          code: 'bad-input',
          message: 'This plan was made without such a password',
          place: { field },
        });
      }
      await options.secrets.set(secretId(id, field), secret);
    },
    async cancel(id) {
      const running = active.get(id);
      if (running) {
        running.controller.abort();
        await running.done;
        return;
      }
      if (load(id).owner !== null) throw busy();
    },
    async steps(id) {
      const { provisioning, host } = load(id);
      const secrets: Record<string, string> = {};
      for (const key of secretKeys(provisioning.plan))
        secrets[key] = (await options.secrets.get(secretId(id, key))) ?? 'a password';
      return planSteps(provisioning.plan, secrets, host);
    },
    ended: async (id) => active.get(id)?.done,
    async close() {
      for (const { controller } of active.values()) controller.abort();
      await Promise.all([...active.values()].map(({ done }) => done));
    },
  };

  /** What another workbench has set up on this host can be undone from here. */
  async function takeOver(
    hostId: string,
    journals: readonly Pick<StoredProvisioning, 'provisioning' | 'saved' | 'host'>[],
  ): Promise<void> {
    for (const { provisioning, saved, host } of journals) {
      if (repository.get(provisioning.id)) continue;
      const plan = { ...provisioning.plan, hostId };
      const taken = {
        provisioning: { ...provisioning, hostId, plan, targetId: null },
        saved,
        host,
        owner: null,
      };
      const midway = provisioning.status === 'applying' || provisioning.status === 'undoing';
      repository.save(midway ? cutOff(taken, now()) : taken);
    }
  }
}

function forgotten(field: string): AppError {
  return new AppError({
    code: 'password-needed',
    message: 'The password given with this plan is kept no longer',
    place: { field },
    hint: 'Give it again: it goes on at the first step that is not verified.',
    secret: 'recipe',
  });
}

function busy(): AppError {
  return new AppError({
    code: 'run-active',
    message: 'Something is being set up on this host already',
    hint: 'Wait until it is done, or stop it where it was started.',
  });
}

/** As it stands after its process ended in the middle. */
function cutOff({ provisioning, saved, host }: StoredProvisioning, now: Date): StoredProvisioning {
  const error = new AppError({
    code: 'connection-lost',
    message: 'Benchberry ended in the middle of this',
    hint: 'Apply again: it goes on at the first step that is not verified.',
  }).toData();
  const moving = ['checking', 'applying', 'verifying', 'undoing'];
  const steps = provisioning.steps.map((step) =>
    moving.includes(step.state) ? { ...step, state: 'failed' as const, error } : step,
  );
  return {
    provisioning: { ...provisioning, status: 'failed', steps, error, updatedAt: now.toISOString() },
    saved,
    host,
    owner: null,
  };
}
