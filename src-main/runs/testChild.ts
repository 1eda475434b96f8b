import { nullDriver } from '../databases/null/index.ts';
import { openStore } from '../store/openStore.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import { clientMachine } from './client.ts';
import { createRunner } from './createRunner.ts';
import { currentOwner } from './owner.ts';

/** For a test: a process that loads the null target without end, telling of each tick, until it is killed. */
const [, , folder = ''] = process.argv;
const plan = resolvePlan({
  version: 1,
  name: 'Without end',
  target: 'null',
  steps: [
    { 'tsbs.load': { scale: 100, timestampEnd: '2030-01-01T00:00:00Z', workers: 2, insertIntervals: '0.1' } },
  ],
});
if (plan.plan === null || plan.problems.length > 0) throw new Error(JSON.stringify(plan.problems));

const runner = createRunner({
  runs: openStore(folder).runs,
  publish: (name, data) => process.stdout.write(`${JSON.stringify({ name, data })}\n`),
  client: clientMachine('0.0.0'),
  owner: currentOwner(),
  dataFolder: folder,
});
runner.start({
  plan: plan.plan,
  steps: plan.steps,
  phases: plan.phases,
  targetName: 'null',
  driver: nullDriver,
  resolve: (signal) => nullDriver.resolve({}, null, { dataFolder: folder, signal }),
  group: null,
});
