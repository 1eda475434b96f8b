import { once } from 'node:events';
import { sandboxDriver, stopSandbox } from './index.ts';

// Another process of the app, for tests: uses the sandbox of the folder given, says so, and leaves when its input ends.
const dataFolder = process.argv[2];
if (dataFolder === undefined) throw new Error('no data folder');
const { signal } = new AbortController();
await sandboxDriver.resolve({}, null, { dataFolder, signal });
process.stdout.write('ready\n');
process.stdin.resume();
await once(process.stdin, 'end');
await stopSandbox();
