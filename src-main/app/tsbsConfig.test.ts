import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { queryTypesOf } from '../workloads/tsbs/queries/queryTypes.ts';
import { articleConfig } from '../workloads/tsbs/testing/articleConfig.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await app.close();
  removeFolder(app.folder);
});

describe('a configuration of tsbs_load', () => {
  it('comes through the contract with all that it says, but no password', async () => {
    const read = await app.api.call('plans.fromTsbsConfig', { text: articleConfig, fileName: 'config.yaml' });
    expect(read).toMatchObject({
      serverNamed: true,
      plan: { target: 'postgresql://postgres@192.168.1.20:5433/postgres?sslmode=disable' },
      mistakes: [{ line: 24 }, { line: 30 }],
    });
    const { problems, rows } = await app.api.call('plans.validate', { plan: read.plan });
    expect({ problems, rows }).toEqual({ problems: [], rows: 1_000_000 });
    for (const [line, secret] of [
      ['pass: "password"', 'pass: hunter2'],
      ['postgres: sslmode=disable', 'postgres: "sslmode=disable password=hunter2"'],
      ['user: postgres', 'url: http://me:hunter2@pi:9000/'],
      ['user: postgres', 'auth-token: hunter2'],
      ['user: postgres', 'password: hunter2'],
    ] as const) {
      const text = articleConfig.replace(line, secret);
      const again = await app.api.call('plans.fromTsbsConfig', { text, fileName: null });
      expect(JSON.stringify(again)).not.toContain('hunter2');
    }
    // What is wrong with a line is told without its secret; its fix goes back into the text that has it.
    const glued = articleConfig.replace('pass: "password"', 'pass:hunter2');
    const { mistakes } = await app.api.call('plans.fromTsbsConfig', { text: glued, fileName: null });
    expect(mistakes.map(({ hint }) => hint).join()).not.toContain('hunter2');
    expect(mistakes.map(({ fix }) => fix)).toContain('    pass: hunter2');
  });

  it('is made of a plan for a saved server, with its address and no password', async () => {
    await app.api.call('targets.save', {
      ...{ id: null, name: 'rpi', engine: 'postgresql', secret: 'hunter2' },
      connection: { host: 'pi.local', port: 5444, user: 'mira', tlsMode: 'require' },
    });
    const plan = { ...loadPlan(4, 1, { seed: 0 }), target: 'rpi', repeat: 3 };
    const { text, leftOut } = await app.api.call('plans.toTsbsConfig', { plan });
    expect(text).toContain('host: pi.local\n    port: 5444\n    user: mira\n    pass: ""\n');
    expect(text).toContain('postgres: sslmode=require');
    expect(text).not.toContain('hunter2');
    // A seed from the clock stays one.
    expect(text).toContain('seed: 0');
    expect(leftOut.map(({ option }) => option)).toEqual(['password', 'repeat']);
    const back = await app.api.call('plans.fromTsbsConfig', { text, fileName: null });
    expect(back.plan.target).toBe('postgresql://mira@pi.local:5444/postgres?sslmode=require');
  });

  it.each([
    [{ steps: [{ 'pgbench.run': { seconds: 1 } }] }, 'This plan loads no rows of TSBS'],
    [{ steps: [{ 'tsbs.load': { scale: 0 } }] }, '0 is out of range: 1 to 10,000,000'],
  ])('is not made of %j', async (part, message) => {
    const plan = { version: 1 as const, name: 'x', target: 'null', repeat: 1, ...part };
    await expect(app.api.call('plans.toTsbsConfig', { plan })).rejects.toThrow(message);
    await expect(app.api.call('plans.toTsbsConfig', { plan })).rejects.toBeInstanceOf(AppError);
  });
});

it('the sample of the full cycle has every query type about hosts', async () => {
  const plans = await app.api.call('plans.list', null);
  const cycle = plans.find(({ id }) => id === 'sample:tsbs-full-cycle')?.plan;
  const types = cycle?.steps.flatMap((step) => step['tsbs.queries']?.types ?? []);
  expect(new Set(types)).toEqual(new Set(queryTypesOf('cpu-only').map(({ name }) => name)));
  const { problems } = await app.api.call('plans.validate', { plan: cycle ?? null });
  expect(problems).toEqual([]);
});
