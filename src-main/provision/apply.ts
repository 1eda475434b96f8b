import { AppError, toAppError } from '../../src-shared/errors.ts';
import type { Remote } from '../hosts/remote.ts';
import { failedScript, notSo, onHost } from './failures.ts';
import { followJob, runJob, stepPrelude } from './job.ts';
import { writeJournal } from './journal.ts';
import type { Ledger } from './ledger.ts';
import type { ExecutorOptions } from './options.ts';
import { type PlannedStep, planSteps, refusalPrefix, type Secrets, targetsOf } from './planned.ts';
import { packageLock, preflight } from './preflight.ts';
import { patient, waitUntil } from './waiting.ts';

export interface Work {
  ledger: Ledger;
  remote: Remote;
  signal: AbortSignal;
  options: Pick<ExecutorOptions, 'inventory' | 'keepTarget'>;
}

/**
 * Makes everything of a plan that is not so yet: check, save, apply, verify, in order, with one restart at the end where
 * steps need it. A lost connection is opened again and the host looked at anew; nothing is assumed.
 * @throws AppError of the step that failed; the steps before it stay verified
 */
export async function applySteps(work: Work & { secrets: Secrets }): Promise<void> {
  const { ledger, remote, secrets, signal, options } = work;
  const { hostId, plan } = ledger.value;
  const { host } = ledger;
  const steps = planSteps(plan, secrets, host);
  await settle(work);
  await lookAgain(work);
  await waitForPackages(work);
  for (const planned of steps) await failing(work, planned, () => applyStep(work, planned));
  await restartFor(work, steps);
  for (const target of targetsOf(plan, secrets, host)) {
    ledger.update({ targetId: await options.keepTarget(hostId, target, remote.address) });
  }
  if (Object.keys(ledger.saved).length === 0) return;
  const stored = ledger.stored();
  const done = { ...stored, provisioning: { ...stored.provisioning, status: 'done' as const } };
  await patient(signal, () => writeJournal(remote, done, signal));
}

/** A step's error is shown at the step, and ends the work. */
export async function failing(
  { ledger, remote }: Pick<Work, 'ledger' | 'remote'>,
  { id }: { id: string },
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (thrown) {
    const error = onHost(toAppError(thrown), remote.address);
    const stopped = error.code === 'cancelled';
    ledger.updateStep(
      id,
      stopped ? { state: 'to-do', error: null } : { state: 'failed', error: error.toData() },
    );
    throw error;
  }
}

/** What was left alone on the host by a lost connection, or by an app that ended, is followed to its end first. */
export async function settle({ ledger, remote, signal }: Work): Promise<void> {
  const current = ledger.value.steps.find(({ state }) => state === 'failed' || state === 'to-do');
  await patient(signal, () =>
    followJob(remote, { signal, onOutput: (text) => current && ledger.log(current.id, text) }),
  );
}

/** The preflight anew: time has passed since the plan was made. What recipes had to say then holds. */
async function lookAgain({ ledger, remote, signal, options }: Work): Promise<void> {
  const host = await patient(signal, () => options.inventory(ledger.value.hostId, remote, signal));
  const lines = await patient(signal, () => preflight(remote, host, signal));
  const ofRecipes = ledger.value.preflight.filter(({ id }) => id.startsWith(refusalPrefix));
  ledger.update({ preflight: [...lines, ...ofRecipes] });
  const failed = ledger.value.preflight.find(({ result }) => result === 'fail');
  if (failed === undefined) return;
  const { id, title, detail, advice, code = 'unsupported' } = failed;
  throw new AppError({
    code,
    message: `${title}: ${detail}`,
    hint: advice,
    secret: id === 'sudo' ? 'sudo' : undefined,
  });
}

async function waitForPackages({ ledger, remote, signal }: Work): Promise<void> {
  const shown = (detail: string, result: 'wait' | 'pass') =>
    ledger.update({
      preflight: ledger.value.preflight.map((line) =>
        line.id === 'dpkg' ? { ...line, result, detail } : line,
      ),
    });
  await waitUntil(signal, 'the package manager of the host to be free', async () => {
    const lock = await patient(signal, () => packageLock(remote, signal));
    shown(lock.detail, lock.result === 'wait' ? 'wait' : 'pass');
    return lock.result !== 'wait';
  });
}

async function applyStep(work: Work, planned: PlannedStep): Promise<void> {
  const { ledger, remote, signal } = work;
  const { id, step, own } = planned;
  const shown = ledger.step(id);
  if (own && shown.state === 'done') return;
  for (;;) {
    ledger.updateStep(id, { state: 'checking', error: null });
    const seen = await patient(signal, () => step.check(remote, signal));
    if (seen.done) {
      // What was made by us and then cut off is done by us, and is undone with the rest.
      const ours = ledger.saved[id] !== undefined;
      ledger.updateStep(id, { state: ours ? 'done' : 'already-so', evidence: seen.evidence });
      return;
    }
    const bootId = await currentBoot(work);
    const made = ledger.saved[id];
    if (step.needsReboot && made?.bootId === bootId && made.applied) {
      ledger.updateStep(id, { state: 'verifying', evidence: waitsForRestart(seen.evidence) });
      return;
    }
    if (!own) {
      // The state before the first change is the one to come back to, however often it is tried.
      const state = made?.state ?? seen.saved;
      ledger.save(id, { state, undo: made?.undo ?? step.undo(state), needsRoot: step.needsRoot, bootId });
      await patient(signal, () => writeJournal(remote, ledger.stored(), signal));
    }
    ledger.updateStep(id, { state: 'applying', evidence: seen.evidence });
    const lost = await applyOnce(work, planned);
    if (lost) continue;
    ledger.updateStep(id, { state: 'verifying' });
    if (own) {
      ledger.updateStep(id, { state: 'done', evidence: 'Your commands ended with 0.' });
      return;
    }
    const after = await patient(signal, () => step.check(remote, signal));
    if (after.done) ledger.updateStep(id, { state: 'done', evidence: after.evidence });
    else if (step.needsReboot) {
      applied(work, id);
      ledger.updateStep(id, { state: 'verifying', evidence: waitsForRestart(after.evidence) });
    } else throw notSo(step.title, after.evidence);
    return;
  }
}

const waitsForRestart = (evidence: string) => `Made; holds after the restart. ${evidence}`;

/** It ran to its end in this boot: a step that only waits for the restart is not made again. */
function applied({ ledger }: Work, id: string): void {
  const saved = ledger.saved[id];
  if (saved) ledger.save(id, { ...saved, applied: true });
}

/** @returns whether the connection was lost, so that nobody knows how it ended */
async function applyOnce(work: Work, { id, step }: PlannedStep): Promise<boolean> {
  const { ledger, remote, signal } = work;
  const { onOutput, end } = keptEnd((text) => ledger.log(id, text));
  const input = step.secretInput ?? [];
  let code: number;
  try {
    code = step.needsRoot
      ? await runJob(remote, { text: step.apply(), input }, { onOutput, signal })
      : await asUser(remote, step.apply(), input, onOutput, signal);
  } catch (thrown) {
    if (toAppError(thrown).code !== 'connection-lost') throw thrown;
    ledger.log(id, '\n[The connection was lost; the host is looked at again when it is back.]\n');
    await patient(signal, () => followJob(remote, { onOutput, signal }));
    return true;
  }
  if (code === 0) return false;
  throw failedScript(step.title, code, end());
}

/** Passes output on, and keeps the end of it: the log has that of earlier tries too. */
export function keptEnd(pass: (text: string) => void): { onOutput(text: string): void; end(): string } {
  let kept = '';
  return {
    onOutput(text) {
      kept = (kept + text).slice(-20_000);
      pass(text);
    },
    end: () => kept,
  };
}

export async function asUser(
  remote: Remote,
  text: string,
  input: readonly string[],
  onOutput: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const lines = input.map((line) => `${line}\n`).join('');
  return (await remote.script(stepPrelude + text, { input: lines, onOutput, signal })).code;
}

async function currentBoot({ remote, signal }: Work): Promise<string> {
  const path = '/proc/sys/kernel/random/boot_id';
  return ((await patient(signal, () => remote.readFile(path, { signal }))) ?? '').trim();
}

/** One restart for all steps that need it; then each is looked at. */
async function restartFor(work: Work, steps: readonly PlannedStep[]): Promise<void> {
  const { ledger, remote, signal } = work;
  const waiting = steps.filter(({ id }) => ledger.step(id).state === 'verifying');
  if (waiting.length === 0) return;
  for (const { id } of waiting) ledger.log(id, '[The host restarts.]\n');
  await remote.reboot(signal);
  for (const planned of waiting) {
    await failing(work, planned, async () => {
      const after = await patient(signal, () => planned.step.check(remote, signal));
      if (!after.done) throw notSo(planned.step.title, after.evidence);
      ledger.updateStep(planned.id, { state: 'done', evidence: after.evidence });
    });
  }
}
