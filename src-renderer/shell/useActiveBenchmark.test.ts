import { expect, it } from 'vitest';
import { rackFraction } from './useActiveBenchmark.ts';

const member = (...runIds: string[]) => ({
  hostId: '',
  hostName: '',
  targetName: '',
  runIds,
  error: null,
  leftOut: null,
});
const plan = { version: 1 as const, name: 'A plan', target: 'x', steps: [], repeat: 1 };

it('counts each run of each host the same', () => {
  const members = [member('a'), member('b'), member(), member()];
  expect(rackFraction({ members, plan }, [])).toBe(0.5);
  expect(rackFraction({ members, plan }, [{ runId: 'b', fraction: 0.2 }])).toBe(0.3);
  expect(rackFraction({ members, plan }, [{ runId: 'b', fraction: null }])).toBe(0.25);
  const repeated = { members: [member('a', 'b'), member('c')], plan: { ...plan, repeat: 2 } };
  expect(rackFraction(repeated, [{ runId: 'c', fraction: 0.5 }])).toBe(0.625);
});
