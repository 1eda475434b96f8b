import { expect, it } from 'vitest';
import { describeState } from './describeState.ts';

const head = { name: 'Nightly', targetName: 'rpi-3', status: 'running', verdicts: [] } as const;

it('says the state, and the verdict once there is one', () => {
  expect(describeState({ ...head, verdicts: [] })).toBe('Nightly on rpi-3: running');
  expect(
    describeState({
      ...head,
      status: 'cancelled',
      verdicts: [{ code: 'cancelled', reason: 'r', advice: 'a' }],
    }),
  ).toBe('Nightly on rpi-3: stopped. Verdict: stopped');
  expect(
    describeState({
      ...head,
      status: 'finished',
      verdicts: [
        { code: 'client-bound', reason: 'r', advice: 'a' },
        { code: 'too-short', reason: 'r', advice: 'a' },
      ],
    }),
  ).toBe('Nightly on rpi-3: finished. Verdict: client-bound, too short');
});
