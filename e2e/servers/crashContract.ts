import { expect, it } from 'vitest';
import { someRows } from '../../src-main/databases/contractRows.ts';
import type { Dataset, Driver, Endpoint } from '../../src-main/databases/driver.ts';
import type { ServerProcess } from './serverProcess.ts';

const { signal } = new AbortController();
const batchRows = 3000;
const batchesBefore = 5;

/**
 * A server that goes away in mid-load: the batch under way is lost or not, every acknowledged one is there once the server
 * is back.
 * @param how what it survives without losing what it has acknowledged
 */
export function crashContract(
  about: {
    driver: Driver;
    dataset: Dataset;
    endpoint(): Promise<Endpoint>;
    server(): ServerProcess;
    /** Load options of the engine, so that batches are not sent again until the server is back. */
    engine?: Record<string, unknown>;
  },
  how: 'crash' | 'shutdown',
): void {
  const { driver, dataset } = about;

  it(`keeps every acknowledged batch through a ${how} in mid-load`, async () => {
    const endpoint = await about.endpoint();
    const session = await driver.openSession(endpoint, signal);
    const options = {
      database: 'benchberry_crash',
      doCreateDb: true,
      doAbortOnExist: false,
      engine: driver.loadOptions.parse(about.engine ?? {}),
    };
    const prepared = await session.prepare(dataset, options, signal);
    await session.writeDevices(prepared, dataset, signal);
    const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
    let acknowledged = 0;
    let ending: Promise<void> | null = null;
    const load = (async () => {
      for (let batch = 0; ; batch += 1) {
        for (const { table, device, timeMs, nanos, values } of someRows(batchRows, batch * batchRows))
          writer.row(table, device, timeMs, nanos, Float64Array.from(values));
        if (batch === batchesBefore) ending = about.server().end(how);
        await writer.flush(signal);
        acknowledged += batchRows;
      }
    })();
    // Over HTTP a server that is already away refuses the next connection.
    await expect(load).rejects.toMatchObject({
      code: expect.stringMatching(/^connection-(lost|refused)$/),
      hint: expect.any(String),
    });
    await ending;
    expect(acknowledged).toBeGreaterThanOrEqual(batchesBefore * batchRows);
    await session.close();
    await about.server().start();
    const again = await driver.openSession(endpoint, signal);
    await again.awaitVisible?.(prepared, acknowledged, () => undefined, signal);
    const rows = Object.values(await again.count(prepared, signal)).reduce((sum, n) => sum + n, 0);
    expect(rows).toBeGreaterThanOrEqual(acknowledged);
    expect(rows).toBeLessThanOrEqual(acknowledged + batchRows);
    await again.drop(prepared, signal);
    await again.close();
  });
}
