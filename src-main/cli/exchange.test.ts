import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Handlers } from '../../src-shared/contract/api.ts';
import type { CommandParsed } from '../../src-shared/contract/commands.ts';
import { runHeadSchema } from '../../src-shared/model/run.ts';
import { runOf } from '../reports/testRun.ts';
import { exportRuns, importAnything } from './exchange.ts';
import { fakeApp, fakeCli } from './testCli.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-exchange-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, text: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

const head = runHeadSchema.parse(runOf({ id: '3f2a91c4' }));
const report = 'transaction type: x\ntps = 12.5 (without initial connection time)\n';

function open(parts: Partial<Handlers>) {
  const { app } = fakeApp(parts);
  return fakeCli(app, {});
}

describe('import', () => {
  async function given(argument: string) {
    const seen: string[] = [];
    const { cli, stdout } = open({
      'exchange.import': async ({ text, fileName }) => {
        seen.push(`runs of ${fileName === null ? 'a text' : path.basename(fileName)}, ${text.length} long`);
        return [{ head, state: 'new' }];
      },
      'plans.fromCommandLine': async ({ text }) => {
        seen.push(`a command line: ${text}`);
        return { plan: runOf().plan, serverNamed: true, leftOut: [], missingFiles: [] };
      },
      'plans.fromTsbsConfig': async ({ fileName }) => {
        seen.push(`a configuration: ${path.basename(fileName ?? '')}`);
        return { plan: runOf().plan, serverNamed: true, taken: [], leftOut: [], mistakes: [] };
      },
      'plans.toYaml': async () => 'a plan\n',
    });
    expect(await importAnything(cli, argument, {})).toBe(0);
    return { seen, stdout: stdout() };
  }

  it('knows a file of runs, a configuration, a command line and a file of command lines by what they hold', async () => {
    const { seen, stdout } = await given(fileOf('report.txt', report));
    expect(seen).toEqual([`runs of report.txt, ${report.length} long`]);
    expect(stdout).toBe('3f2a91c4  imported  Quick on sandbox\n');
    expect((await given(report)).seen).toEqual([`runs of a text, ${report.length} long`]);
    const config = fileOf('config.yaml', 'loader:\n  runner:\n    workers: 4\n');
    expect((await given(config)).seen).toEqual(['a configuration: config.yaml']);
    const line = await given('pgbench -c 4 bench');
    expect(new Set(line.seen)).toEqual(new Set(['a command line: pgbench -c 4 bench']));
    expect(line.stdout).toBe('a plan\n');
    const script = await given(fileOf('bench.sh', '#!/bin/sh\n/usr/bin/sysbench oltp_read_only run\n'));
    expect(script.seen[0]).toMatch(/^a command line: #!\/bin\/sh/);
  });

  it('says that a file is not there', async () => {
    const { cli } = open({});
    await expect(importAnything(cli, 'nothing.json', {})).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('export', () => {
  function exporting(asked: CommandParsed<'exchange.export'>[]) {
    return open({
      'runs.list': async () => [head],
      'runs.get': async () => runOf({ id: head.id }),
      'exchange.export': async (input) => {
        asked.push(input);
        return { fileName: 'x.html', mediaType: 'text/html', text: 'a \u001b[2J page' };
      },
    });
  }

  it('prints the text as it is; runs are named by their first characters, groups and references in full', async () => {
    const asked: CommandParsed<'exchange.export'>[] = [];
    const { cli, stdout } = exporting(asked);
    const ids = ['3f2', 'reference:a', 's.0.1', 'a-series'];
    expect(await exportRuns(cli, ids, { format: 'html', withNames: true })).toBe(0);
    expect(stdout()).toBe('a \u001b[2J page');
    expect(asked).toMatchObject([
      { sides: ['3f2a91c4', 'reference:a', 's.0.1', 'a-series'], format: 'html', withNames: true, base: 0 },
    ]);
  });

  it('writes it into a file, or says why not', async () => {
    const { cli } = exporting([]);
    const output = path.join(folder, 'page.html');
    await exportRuns(cli, ['3f2'], { format: 'html', output });
    expect(readFileSync(output, 'utf8')).toBe('a \u001b[2J page');
    const nowhere = path.join(folder, 'no', 'page.html');
    await expect(exportRuns(cli, ['3f2'], { format: 'html', output: nowhere })).rejects.toMatchObject({
      code: 'bad-input',
      place: { file: nowhere },
    });
  });
});
