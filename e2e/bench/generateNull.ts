import process from 'node:process';
import { nullDriver } from '../../src-main/databases/null/index.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';

// Makes the rows of a simulation for the null target, as a loader's thread does, and prints how many there were.
const { signal } = new AbortController();
const source = openTsbsRows({ workload: 'tsbs', parameters: JSON.parse(process.argv[2] ?? '{}') });
const endpoint = await nullDriver.resolve({}, null, { dataFolder: '', signal });
const session = await nullDriver.openSession(endpoint, signal);
const prepared = await session.prepare(
  source.dataset,
  { database: 'none', doCreateDb: true, doAbortOnExist: false, engine: {} },
  signal,
);
const writer = await nullDriver.openWriter(endpoint, prepared, signal, source.dataset);
const batch = 10_000;
let rows = 0;
let bytes = 0;
for (let got = batch; got > 0; rows += got) {
  got = source.fill(writer, batch);
  bytes += await writer.flush(signal);
}
await writer.close();
process.stdout.write(JSON.stringify({ rows, bytes }));
