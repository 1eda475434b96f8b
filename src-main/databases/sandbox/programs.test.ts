import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { runAs, serverEnvironment } from './programs.ts';

const own = { ids: {}, prefix: [], owner: null, note: null };
const secrets = {
  BENCHBERRY_PASSWORD: 'hunter2',
  PGPASSWORD: 'hunter2',
  PGPORT: '1',
  AWS_SECRET_ACCESS_KEY: 'hunter2',
};

afterEach(() => {
  for (const name of Object.keys(secrets)) delete process.env[name];
});

test('the server gets none of the secrets in the environment of who starts it', async () => {
  Object.assign(process.env, secrets);
  const folder = mkdtempSync(`${tmpdir()}/benchberry-env-`);
  const printed = await runAs(own, process.execPath, ['-p', 'JSON.stringify(process.env)'], folder);
  rmSync(folder, { recursive: true });
  const seen: unknown = JSON.parse(printed);
  expect(seen).toMatchObject({ LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH });
  expect(printed).not.toContain('hunter2');
  expect(seen).not.toHaveProperty('PGPORT');
});

test('what is not set stays unset', () => {
  expect(serverEnvironment({ PATH: '/bin', TEMP: 'C:' + '\\t' })).toEqual({
    PATH: '/bin',
    TEMP: 'C:' + '\\t',
    LC_ALL: 'C',
    TZ: 'UTC',
  });
});
