import { AppError } from '../../../src-shared/errors.ts';
import type { Inventory } from '../../../src-shared/model/host.ts';
import type { Remote } from '../remote.ts';
import { readClock } from './clock.ts';
import { interpret } from './interpret.ts';
import { askSurvey, type Survey } from './survey.ts';
import { surveyItems } from './surveyItems.ts';
import { fact } from './text.ts';

/**
 * What the host is and what is on it, read with one script that changes nothing. What is not there, or not understood, is
 * null, with the text the host gave. Takes two or three seconds on a Pi; each item has ten at most.
 * @throws AppError `connection-lost`, `cancelled`; `unsupported` where the far end has no POSIX shell
 */
export async function readInventory(remote: Remote, signal: AbortSignal): Promise<Inventory> {
  const survey = await askSurvey(remote, surveyItems, { signal });
  const inventory = interpret(survey, await readClock(remote, signal));
  return inventory.sudo.value === null
    ? { ...inventory, sudo: await trySudo(remote, survey, signal) }
    : inventory;
}

/** Only trying tells whether somebody outside the usual groups may become root. */
async function trySudo(remote: Remote, survey: Survey, signal: AbortSignal): Promise<Inventory['sudo']> {
  const raw = `${survey.text('sudo')}\n${survey.text('groups')}`;
  try {
    const { code } = await remote.run(['true'], { root: true, signal });
    return fact(code === 0 ? 'password' : null, raw);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled' || error.code === 'connection-lost')
      throw error;
    return fact(error.code === 'no-permission' ? 'impossible' : null, `${raw}\n${error.message}`);
  }
}
