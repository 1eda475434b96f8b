import { openStore } from '../../src-main/store/openStore.ts';
import { makeHealth } from '../../src-main/store/testHealth.ts';
import { makeHost } from '../../src-main/store/testHost.ts';
import { makeRun, makeTarget } from '../../src-main/store/testRun.ts';
import type { HealthSample } from '../../src-shared/model/host.ts';
import type { Phase, Run } from '../../src-shared/model/run.ts';

/** What the hosts of the recorded benchmark wrote, rows a second. */
const rates = [13_800, 13_802, 13_804, 8_000];
const at = '2026-01-31T12:00:00.000Z';
/** Nobody listens there. */
const nowhere = { address: '127.0.0.1', port: 1 };

/**
 * Makes a rack `shelf` of five hosts in a data folder: four with a database and a recorded benchmark, the last of those hot
 * and slow; the fifth with nothing. @returns the slow one's id
 */
export function makeRack(dataFolder: string): string {
  const store = openStore(dataFolder);
  try {
    for (let n = 1; n <= 5; n++) {
      store.hosts.save(
        makeHost({
          id: `host-${n}`,
          name: `rpi-${n}`,
          group: 'shelf',
          auth: { method: 'agent' },
          ...nowhere,
        }),
      );
    }
    for (const [i, rowsPerSecond] of rates.entries()) {
      const hostId = `host-${i + 1}`;
      const slow = i === rates.length - 1;
      const name = `rpi-${i + 1} PostgreSQL`;
      store.targets.save(
        makeTarget({
          id: `target-${i + 1}`,
          name,
          hostId,
          connection: { host: nowhere.address, port: nowhere.port, database: 'benchmark', user: 'postgres' },
        }),
      );
      const run: Run = makeRun({
        id: `run-${i + 1}`,
        status: 'finished',
        group: 'rack-run',
        targetName: name,
        engine: 'postgresql',
        endedAt: '2026-01-31T12:01:00.000Z',
        verdicts: [{ code: slow ? 'throttled' : 'valid', reason: 'As recorded.', advice: '' }],
        phases: [phase(rowsPerSecond)],
      });
      store.runs.create(run, { pid: 1, startedAt: 1 });
      for (const sample of samples(slow)) store.runs.appendHealth(run.id, sample);
      const check = { id: 'fsync', title: 'Flush to disk (fsync)', detail: '', advice: '', raw: '' };
      const value = slow ? 12 : 2;
      const checks = [{ ...check, result: slow ? ('warn' as const) : ('pass' as const), value, unit: 'ms' }];
      store.hosts.checked(hostId, 'measured', { at, checks });
    }
    store.racks.save({
      id: 'rack-run',
      rack: 'shelf',
      plan: makeRun().plan,
      atOnce: false,
      startedAt: at,
      endedAt: '2026-01-31T12:05:00.000Z',
      members: rates.map((_, i) => ({
        hostId: `host-${i + 1}`,
        hostName: `rpi-${i + 1}`,
        targetName: `rpi-${i + 1} PostgreSQL`,
        runIds: [`run-${i + 1}`],
        error: null,
        leftOut: null,
      })),
    });
    return `host-${rates.length}`;
  } finally {
    store.close();
  }
}

function samples(slow: boolean): HealthSample[] {
  const healthy = makeHealth();
  return [1000, 2000].map((atMs) =>
    makeHealth({
      atMs,
      temperatureC: slow ? 84.2 : 61,
      clockMhz: slow ? 600 : 1500,
      throttle: healthy.throttle && { ...healthy.throttle, throttled: slow },
    }),
  );
}

function phase(rowsPerSecond: number): Phase {
  return {
    index: 0,
    name: 'tsbs.load',
    kind: 'load',
    workers: 2,
    startedMs: 0,
    rows: rowsPerSecond * 60,
    metrics: rowsPerSecond * 600,
    bytes: 0,
    seconds: 60,
    rowsPerSecond,
    metricsPerSecond: rowsPerSecond * 10,
    verifiedRows: rowsPerSecond * 60,
    plannedRows: rowsPerSecond * 60,
    operations: [],
    notes: [],
  };
}
