import { toAppError } from '../../src-shared/errors.ts';
import type { ProvisionStep } from '../../src-shared/model/provision.ts';
import type { SavedStep } from '../store/repositories.ts';
import { asUser, failing, keptEnd, settle, type Work } from './apply.ts';
import { failedScript } from './failures.ts';
import { followJob, runJob } from './job.ts';
import { removeJournal, writeJournal } from './journal.ts';
import { patient } from './waiting.ts';

/**
 * Takes back in reverse order what was made, by the scripts recorded before it was made. What was so already, and what has
 * no way back, stays. Begun again after a failure it goes on with what is left.
 * @throws AppError of the step that failed
 */
export async function undoSteps(work: Work): Promise<void> {
  const { ledger, remote, signal } = work;
  await settle(work);
  let restart = false;
  for (const step of [...ledger.value.steps].reverse()) {
    const saved = ledger.saved[step.id];
    if (saved === undefined || step.state === 'undone') continue;
    if (saved.undo === null) {
      ledger.updateStep(step.id, {
        state: 'not-undoable',
        evidence: 'This has no way back: it stays as it is.',
      });
      continue;
    }
    await failing(work, step, () => undoStep(work, step, saved));
    await patient(signal, () => writeJournal(remote, ledger.stored(), signal));
    restart ||= step.needsReboot;
  }
  if (restart) await remote.reboot(signal);
  await patient(signal, () => removeJournal(remote, ledger.value.id, signal));
  ledger.forget();
}

async function undoStep(
  { ledger, remote, signal }: Work,
  { id, title }: ProvisionStep,
  saved: SavedStep,
): Promise<void> {
  ledger.updateStep(id, { state: 'undoing', error: null });
  const { onOutput, end } = keptEnd((text) => ledger.log(id, text));
  const text = saved.undo ?? '';
  for (;;) {
    try {
      const code = saved.needsRoot
        ? await runJob(remote, { text, input: [] }, { onOutput, signal })
        : await asUser(remote, text, [], onOutput, signal);
      if (code !== 0) throw failedScript(title, code, end());
      ledger.updateStep(id, { state: 'undone', evidence: 'As it was before.' });
      return;
    } catch (thrown) {
      if (toAppError(thrown).code !== 'connection-lost') throw thrown;
      await patient(signal, () => followJob(remote, { onOutput, signal }));
    }
  }
}
