import { writeSync } from 'node:fs';
import process from 'node:process';

// Preloaded into a measured process: tells its CPU time, from its beginning on, on file descriptor 3 when it exits.
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ seconds: (user + system) / 1e6 }));
});
