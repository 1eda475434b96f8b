import { homedir, hostname, userInfo } from 'node:os';
import { decodeFromCompressedBase64, HistogramLogReader } from 'hdr-histogram-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandInput } from '../../src-shared/contract/commands.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { type RunFile, runFileSchema } from '../../src-shared/model/runFile.ts';
import { makeHealthSample } from '../../src-shared/model/testHealthSample.ts';
import { makeServerSample } from '../../src-shared/model/testServerSample.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
let run: Run;
/** The run as it was exported, with everything that a run can have besides. */
let rich: RunFile['runs'][number];

type Options = Omit<CommandInput<'exchange.export'>, 'sides' | 'format'>;
const exported = async (format: string, sides = [run.id], options: Options = {}) =>
  (await app.api.call('exchange.export', { sides, format, ...options })).text;
const taken = (text: string, to = app) => to.api.call('exchange.import', { text, fileName: null });
const fileOf = (...runs: RunFile['runs']) => JSON.stringify({ format: 'benchberry-runs', version: 1, runs });

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)> | \`rm\` @someone #1 [a](javascript:b) =1+1`;

/** One real load of a second into nothing, and a made copy of it. */
beforeAll(async () => {
  app = await openTestApp();
  const plan = loadPlan(20, 2, { batchSize: 1000, insertIntervals: '0.1' });
  const head = await app.api.call('runs.start', { plan, targetId: 'null' });
  await app.until('run.changed', ({ head: { id }, final }) => final && id === head.id);
  run = await app.api.call('runs.get', { id: head.id });
  const [own] = runFileSchema.parse(JSON.parse(await exported('json', [run.id], { withNames: true }))).runs;
  if (!own) throw new Error('no run in the file');
  const { user, home } = { user: 'mirabellehansen', home: '/home/mirabellehansen' };
  rich = {
    ...own,
    run: {
      ...own.run,
      id: 'rich-run',
      name: hostile,
      notes: `${hostile}\n${home}/notes.txt, written by ${user}`,
      tags: [hostile, '日本語'],
      group: 'a-series',
      error: {
        code: 'server-error',
        message: hostile,
        place: { file: `${home}/x.yaml` },
        detail: 'password=hunter2',
      },
      plan: { ...own.run.plan, name: hostile, target: 'postgresql://me:hunter2@db.local/postgres' },
      phases: own.run.phases.map((phase) => ({ ...phase, notes: [hostile, `C:\\Users\\${user}\\data`] })),
    },
    series: {
      ...own.series,
      ticks: own.series.ticks.map((tick) => ({ ...tick, runId: 'rich-run' })),
      events: [{ runId: 'rich-run', atMs: 5, kind: 'note', text: hostile }],
      health: [makeHealthSample({ temperatureC: 61.5 })],
      server: [makeServerSample()],
      serverWatch: { limits: [{ what: hostile, role: 'pg_monitor' }], statements: [], noStatements: null },
    },
  };
  rich.histograms = own.histograms.map((histogram) => ({ ...histogram, operation: `${home}/a.sql` }));
  expect(await taken(fileOf(rich))).toEqual([expect.objectContaining({ state: 'new' })]);
}, 60_000);
afterAll(async () => {
  await app.close();
  removeFolder(app.folder);
});

describe('JSON', () => {
  it('imported into an empty store and exported again is the same to the byte', async () => {
    const sides = [run.id, 'rich-run'];
    const text = await exported('json', sides);
    const other = await openTestApp();
    try {
      expect((await taken(text, other)).map(({ state }) => state)).toEqual(['new', 'new']);
      const again = await other.api.call('exchange.export', { sides, format: 'json' });
      expect(again.text).toBe(text);
      expect((await other.api.call('runs.list', {})).map(({ id }) => id).sort()).toEqual([...sides].sort());
      // Its figures are the same too, made from the same seconds.
      const csv = await other.api.call('exchange.export', { sides: [run.id], format: 'csv' });
      expect(csv.text).toBe(await exported('csv'));
    } finally {
      await other.close();
      removeFolder(other.folder);
    }
  });

  it('imported twice is one run; one that was deleted is back', async () => {
    const text = fileOf(rich);
    expect((await taken(text)).map(({ state }) => state)).toEqual(['there']);
    await app.api.call('runs.remove', { ids: ['rich-run'] });
    expect((await taken(text)).map(({ state }) => state)).toEqual(['restored']);
    expect((await app.api.call('runs.get', { id: 'rich-run' })).name).toBe(hostile);
  });
});

describe('an export', () => {
  const formats = async () => (await app.api.call('exchange.formats', null)).map(({ id }) => id);

  it('in whatever format has no password, no user name and no path of a home', async () => {
    const me = userInfo().username;
    for (const format of await formats()) {
      for (const id of [run.id, 'rich-run']) {
        const text = await exported(format, [id]).catch((error: unknown) => String(error));
        expect(text, format).not.toMatch(/hunter2|\/home\/mirabellehansen|Users\\+mirabellehansen/);
        if (hostname().length > 3) expect(text, format).not.toContain(JSON.stringify(hostname()));
        if (homedir().length > 5) expect(text, format).not.toContain(homedir());
        if (me.length > 4) expect(text, format).not.toMatch(new RegExp(`\\b${me}\\b`));
      }
    }
  });

  it('has names where they are asked for, and passwords not even then', async () => {
    const text = await exported('json', ['rich-run'], { withNames: true });
    expect(text).toContain('/home/mirabellehansen/notes.txt');
    expect(text).toContain(JSON.stringify(hostname()));
    expect(text).not.toContain('hunter2');
  });

  it('is refused with the nearest name, of too many runs, and of what is not there', async () => {
    await expect(exported('htm')).rejects.toMatchObject({ code: 'not-found', hint: 'Did you mean html?' });
    await expect(exported('csv', [run.id, 'rich-run'])).rejects.toMatchObject({ code: 'bad-input' });
    await expect(exported('json', ['nowhere'])).rejects.toMatchObject({ code: 'not-found' });
    await expect(exported('pgbench')).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('the web page', () => {
  it('has nothing of a hostile name but its letters', async () => {
    for (const sides of [['rich-run'], [run.id, 'rich-run']]) {
      const text = await exported('html', sides);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      // What is not markup has no < of its own, so these are all the elements.
      const elements = [...text.matchAll(/<([a-z]\w*)([^>]*)>/g)];
      const known =
        'html head meta title style body main h1 h2 h3 p span section dl dt dd div table caption thead tbody tr th td small pre figure figcaption svg rect line text path circle footer';
      const names = new Set(elements.map(([, name]) => name ?? ''));
      expect([...names].filter((name) => !known.split(' ').includes(name))).toEqual([]);
      const attributes = elements.map(([, , rest]) => (rest ?? '').replaceAll(/"[^"]*"/g, '""')).join(' ');
      expect(attributes).not.toMatch(/\b(?:on\w+|src|href|style|srcset|action)=/i);
    }
  });

  it('lets nothing in but its style', async () => {
    const text = await exported('html');
    expect(text).toContain(`content="default-src &#39;none&#39;; style-src &#39;sha256-`);
    expect(text).not.toMatch(/\sstyle="|https?:/);
  });

  it('shows the figures that the workbench shows', async () => {
    const rate = (run.rowsPerSecond ?? 0).toLocaleString('en-US', { maximumFractionDigits: 0 });
    expect(await exported('html')).toContain(`${rate} rows/s`);
    const comparison = await app.api.call('comparisons.make', {
      sides: [{ runIds: [run.id] }, { runIds: ['rich-run'] }],
    });
    const text = await exported('html', [run.id, 'rich-run']);
    const escaped = comparison.sentence
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    expect(text).toContain(escaped);
  });
});

it('Markdown has no markup of a hostile name, and its tables keep their columns', async () => {
  const text = await exported('markdown', ['rich-run']);
  expect(text).not.toMatch(/(?<!\\)<(?!!-- -->)|(?<!\\)`|@someone|\[a\]\(/);
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((line) => line.match(/(?<!\\)\|/g)?.length);
  expect(new Set(cells).size).toBeLessThan(4);
  expect(rows.length).toBeGreaterThan(5);
});

it('a formula in a CSV is a text', async () => {
  const operations = (tick: RunFile['runs'][number]['series']['ticks'][number]) =>
    tick.operations.map((operation) => ({ ...operation, name: '=HYPERLINK("http://x","y")' }));
  const ticks = rich.series.ticks.map((tick) => ({
    ...tick,
    runId: 'formula',
    operations: operations(tick),
  }));
  await taken(
    fileOf({ ...rich, run: { ...rich.run, id: 'formula' }, series: { ...rich.series, ticks, events: [] } }),
  );
  const [, line] = (await exported('csv', ['formula'])).split('\n');
  expect(line).toContain(`,"'=HYPERLINK(""http://x"",""y"")",`);
});

describe('HdrHistogram', () => {
  it('reads its log: each second is there, and together they have every operation', async () => {
    const { series } = { series: await app.api.call('runs.series', { id: run.id }) };
    const reader = new HistogramLogReader(await exported('hdr-log'));
    const seen: { tag: string; count: number; start: number }[] = [];
    for (let next = reader.nextIntervalHistogram(); next !== null; next = reader.nextIntervalHistogram())
      seen.push({ tag: next.tag, count: next.totalCount, start: next.startTimeStampMsec });
    const counts = series.ticks.map((tick) => tick.operations[0]?.count).filter((count) => count !== 0);
    expect(seen.map(({ count }) => count)).toEqual(counts);
    expect(new Set(seen.map(({ tag }) => tag))).toEqual(new Set(['tsbs.load/batch']));
    expect(seen.reduce((sum, { count }) => sum + count, 0)).toBe(run.phases[0]?.operations[0]?.count);
    expect(seen[0]?.start).toBeGreaterThanOrEqual(Date.parse(run.startedAt));
  });

  it('prints the percentiles that the run has', async () => {
    const text = await exported('hdr');
    const latency = run.phases[0]?.operations[0]?.latencyUs;
    const max = /#\[Max +=\s*([\d.]+), Total count +=\s*(\d+)\]/.exec(text);
    expect(Number(max?.[2])).toBe(latency?.count);
    expect(Number(max?.[1])).toBeCloseTo((latency?.max ?? 0) / 1000, 2);
    await expect(exported('hdr', [run.id], { operation: 'nothing' })).rejects.toMatchObject({
      ...{ code: 'unsupported', hint: 'It has those of batch.' },
    });
  });

  it('has in the log what any of its tools decodes', async () => {
    const [line] = (await exported('hdr-log')).split('\n').filter((text) => text.startsWith('Tag='));
    const text = line?.split(',').at(-1) ?? '';
    expect(text).toMatch(/^HISTFAAA/);
    expect(decodeFromCompressedBase64(text).totalCount).toBeGreaterThan(0);
  });
});

describe('figures that were printed elsewhere', () => {
  const report = `pgbench (15.18)\ntransaction type: <builtin: select only>\nnumber of clients: 4
number of transactions actually processed: 5467\nlatency average = 4.374 ms\ntps = 911.447089 (without initial connection time)\n`;

  it('stand in the list beside measured ones, and in a comparison', async () => {
    const [imported] = await taken(report);
    const id = imported?.head.id ?? '';
    expect(imported?.head).toMatchObject({ tps: 911.447089, p99Us: null, serverLabel: null, rows: null });
    expect(imported?.head.verdicts.map(({ code }) => code)).toEqual(['imported']);
    expect((await taken(report)).map(({ state }) => state)).toEqual(['there']);
    const kept = await app.api.call('runs.get', { id });
    expect([kept.client, kept.server, kept.seed, kept.phases]).toEqual([null, null, null, []]);
    const twice = report.replace('911.447089', '1822.894178');
    const [other] = await taken(twice);
    const comparison = await app.api.call('comparisons.make', {
      sides: [{ runIds: [id] }, { runIds: [other?.head.id ?? ''] }],
    });
    const row = comparison.table.find(({ metric }) => metric.unit === 'TPS');
    expect(row?.cells.map(({ value }) => value)).toEqual([911.447089, 1822.894178]);
    expect(await exported('html', [id])).toContain('911 TPS');
    expect(await exported('markdown', [id])).toContain('Not told by the source');
  });

  it('of the articles are references that open, compare and export like runs', async () => {
    const references = await app.api.call('exchange.references', null);
    const plans = await app.api.call('plans.list', null);
    expect(references.length).toBeGreaterThan(5);
    for (const { presetId, run: reference } of references) {
      expect(
        plans.some(({ id }) => id === presetId),
        reference.id,
      ).toBe(true);
      expect(await app.api.call('runs.get', { id: reference.id })).toEqual(reference);
      expect(reference.printed?.source.date).not.toBeNull();
    }
    const ids = references.map(({ run: { id } }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await app.api.call('runs.list', {})).filter(({ id }) => ids.includes(id))).toEqual([]);
    const laptop = references.find(({ run: { id } }) => id === 'reference:tsbs-pi-3-load-from-laptop');
    expect(laptop?.run).toMatchObject({ rowsPerSecond: 20555.35, rows: 999_999, p99Us: null });
    expect(await exported('html', ['reference:tsbs-pi-3-load-from-laptop', run.id])).toContain(
      '20,555 rows/s',
    );
    expect(await app.api.call('runs.series', { id: 'reference:tsbs-pi-3-load-from-laptop' })).toMatchObject({
      ticks: [],
    });
  });

  it('differ from one’s own in what is told, not in what is left out', async () => {
    const reference = 'reference:tsbs-pi-3-load-from-laptop';
    const { differences, table } = await app.api.call('comparisons.make', {
      sides: [{ runIds: [reference] }, { runIds: [run.id] }],
    });
    const plan = differences.filter(({ area }) => area === 'plan');
    expect(plan.map(({ name }) => name)).toContain('tsbs.load · batchSize');
    expect(plan.filter(({ values: [told] }) => told === null)).toEqual([]);
    expect(table.find(({ metric }) => metric.key === 'rows')?.cells.map(({ value }) => value)).toEqual([
      20555.35,
      run.rowsPerSecond,
    ]);
    const twice = await app.api.call('comparisons.make', {
      sides: [{ runIds: ['reference:sysbench-2010-prepare'] }, { runIds: [run.id] }],
    });
    expect(
      twice.table.flatMap(({ phase, metric, cells }) =>
        phase !== '' && metric.key === 'seconds' ? [cells[0]?.value] : [],
      ),
    ).toEqual([1067.695, 36.237]);
  });

  it('of one’s own run are a reference that others import', async () => {
    const text = await exported('reference');
    const [imported] = await taken(text);
    expect(imported?.head).toMatchObject({
      rowsPerSecond: run.rowsPerSecond,
      rows: run.rows,
      p99Us: run.p99Us,
    });
    expect(imported?.head.verdicts.map(({ code }) => code)).toEqual(['published']);
    expect(imported?.head.id).not.toBe(run.id);
  });
});
