import { describe, expect, it } from 'vitest';
import type { ProvisionPlan } from '../../../../src-shared/model/provision.ts';
import { planSteps, refusals } from '../../planned.ts';
import { testInventory } from '../testInventory.ts';

const main = { version: '17', name: 'main', port: 5432, dataFolder: '/var/lib/postgresql/17/main' };
const bench = { ...main, name: 'bench', dataFolder: '/var/lib/postgresql/17/bench' };
const busy = testInventory({
  postgresClusters: [{ ...main, running: true }],
  ports: [{ port: 5432, process: 'postgres' }],
});

function planned(host: typeof busy, ...recipes: ProvisionPlan['recipes']) {
  const plan = { hostId: 'h', recipes, before: '', after: '' };
  return {
    refused: refusals(plan, { '0.password': 'x', '1.password': 'x' }, host).map(({ detail }) => detail),
    steps: planSteps(plan, { '0.password': 'x', '1.password': 'x' }, host).map(({ id }) => id),
  };
}
const stop = { id: 'port-in-the-way', parameters: {} };
const database = { id: 'database-from-packages', parameters: { port: 5432, password: '' } };

describe('a port that a PostgreSQL has', () => {
  it('is refused alone, and free for the recipes after the one that stops it', () => {
    const alone = planned(busy, database);
    expect(alone.refused).toEqual([
      'PostgreSQL 17 main of the host is on port 5432: stop it first, or choose another port.',
    ]);
    expect(alone.steps).toEqual([]);
    expect(planned(busy, stop, database)).toEqual({
      refused: [],
      steps: [
        'port-in-the-way.stop-17-main',
        'database-from-packages.packages',
        'database-from-packages.cluster',
        'database-from-packages.user',
      ],
    });
    // In the other order it is still taken.
    expect(planned(busy, database, stop).refused).toHaveLength(1);
  });

  it('is not taken from the workbench’s own cluster', () => {
    const made = testInventory({
      postgresClusters: [
        { ...main, running: false },
        { ...bench, running: true },
      ],
      ports: [{ port: 5432, process: 'postgres' }],
    });
    const { refused, steps } = planned(made, stop, database);
    expect(refused).toEqual([]);
    expect(steps).not.toContain('port-in-the-way.stop-17-bench');
    expect(steps).toHaveLength(4);
  });

  it('is left alone where another program has it', () => {
    const other = testInventory({ ports: [{ port: 5432, process: 'nginx' }] });
    expect(planned(other, stop).refused).toEqual([expect.stringContaining('nginx listens on port 5432')]);
    expect(planned(testInventory(), stop)).toEqual({ refused: [], steps: [] });
  });
});
