import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { planFromCommandLine } from '../app/commandLine.ts';
import { importCommandLine } from './importCommandLine.ts';
import { fakeApp, fakeCli } from './testCli.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function imported(line: string) {
  const { app } = fakeApp({
    'plans.fromCommandLine': async ({ text, files }) => planFromCommandLine(text, files),
    'plans.toYaml': async ({ plan }) => JSON.stringify(plan),
  });
  const { cli, stdout, stderr } = fakeCli(app, {});
  const code = await importCommandLine(cli, line);
  return { code, plan: JSON.parse(stdout()) as unknown, stderr: stderr() };
}

describe('import', () => {
  it('prints the plan; what is left out goes to standard error', async () => {
    const { code, plan, stderr } = await imported('pgbench --verbose-errors -h db.local -U me -T 60 b');
    expect(code).toBe(0);
    expect(plan).toEqual({
      version: 1,
      name: 'pgbench tpcb-like',
      target: 'postgresql://me@db.local:5432/postgres',
      steps: [{ 'pgbench.run': { dbName: 'b', seconds: 60 } }],
      repeat: 1,
    });
    expect(stderr).toMatch(/^left out: --verbose-errors: conflicts are counted by SQLSTATE.*\n$/);
  });

  it('says that no server is named, and puts scripts that it can read into the plan', async () => {
    const file = path.join(folder, 'my script.sql');
    writeFileSync(file, 'SELECT 1;\n');
    const { plan, stderr } = await imported(`pgbench -f '${file}'@2 -f missing.sql`);
    expect(plan).toMatchObject({
      target: 'sandbox',
      steps: [
        {
          'pgbench.run': {
            scripts: [
              { name: file, text: 'SELECT 1;\n', weight: 2 },
              { name: 'missing.sql', text: '' },
            ],
          },
        },
      ],
    });
    expect(stderr).toContain('No server is named: the plan is for the built-in PostgreSQL');
    expect(stderr).toContain('left out: -f missing.sql: the file’s text is not known here');
    expect(stderr).not.toContain('my script.sql');
  });
});
