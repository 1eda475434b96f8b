import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { textTable } from '../../src-main/reports/table.ts';
import { type BenchResult, isMet, type Suite, type SuiteOptions } from './bench.ts';
import { enginesSuite } from './engines.ts';
import { generateSuite } from './generate.ts';
import { loadSuite } from './load.ts';
import { memorySuite } from './memory.ts';
import { oltpSuite } from './oltp/oltp.ts';
import { openSuite } from './open.ts';
import { rendererSuite } from './renderer.ts';
import { listSuite } from './runList.ts';
import { statisticsSuite } from './statistics/statistics.ts';
import { unchangedSuite } from './statistics/unchanged.ts';
import { telemetrySuite } from './telemetry.ts';

// npm run bench [-- --suite NAME … --seconds N --pairs N --only TEXT --url URL]: measures against the goals, prints a table, writes bench-results/<time>.json.
// Exit code 0 where every goal is met, 1 where not, 2 for a suite that does not exist.

const suites: readonly Suite[] = [
  generateSuite,
  loadSuite,
  memorySuite,
  openSuite,
  listSuite,
  rendererSuite,
  telemetrySuite,
  statisticsSuite,
  unchangedSuite,
  oltpSuite,
  enginesSuite,
];

type Outcome = { suite: string } & (BenchResult | { error: string });

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function runSuite({ name, about, run }: Suite, options: SuiteOptions): Promise<Outcome> {
  print(`\n${name}: ${about}`);
  try {
    return { suite: name, ...(await run((line) => print(`  ${line}`), options)) };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    print(`  failed: ${text}`);
    return { suite: name, error: text };
  }
}

function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}

function table(outcomes: readonly Outcome[]): string[] {
  const rows = outcomes.flatMap((outcome) => {
    if ('error' in outcome) return [[outcome.suite, 'did not end', '', '', 'FAILED']];
    return [
      ...outcome.goals.map((goal) => [
        outcome.suite,
        goal.name,
        `${shown(goal.value)} ${goal.unit}`.trim(),
        `${goal.must.replace('-', ' ')} ${shown(goal.limit)}`,
        isMet(goal) ? 'met' : 'NOT MET',
      ]),
      ...outcome.facts.map((fact) => [
        outcome.suite,
        fact.name,
        `${shown(fact.value)} ${fact.unit}`.trim(),
        '',
        '',
      ]),
    ];
  });
  return textTable([['suite', 'figure', 'value', 'goal', ''], ...rows], 'llrll');
}

async function save(outcomes: readonly Outcome[]): Promise<string> {
  const folder = path.join(import.meta.dirname, '..', '..', 'bench-results');
  await mkdir(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = path.join(folder, `${at.replaceAll(':', '-')}.json`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.availableParallelism(), node: process.versions.node };
  await writeFile(file, `${JSON.stringify({ at, machine, outcomes }, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '10' },
      pairs: { type: 'string', default: '5' },
      only: { type: 'string' },
      url: { type: 'string' },
    },
  });
  const options: SuiteOptions = {
    seconds: Number(values.seconds),
    pairs: Number(values.pairs),
    only: values.only ?? null,
    url: values.url ?? null,
  };
  const names = suites.map((suite) => suite.name);
  const unknown = values.suite?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no suite ${unknown}; there are ${names.join(', ')}.\n`);
    return 2;
  }
  const outcomes: Outcome[] = [];
  for (const suite of suites) {
    if (values.suite === undefined || values.suite.includes(suite.name))
      outcomes.push(await runSuite(suite, options));
  }
  print(`\n${table(outcomes).join('\n')}`);
  print(`\nWritten to ${await save(outcomes)}`);
  return outcomes.every((outcome) => 'goals' in outcome && outcome.goals.every(isMet)) ? 0 : 1;
}

process.exitCode = await main();
