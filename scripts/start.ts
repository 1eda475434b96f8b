import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { hasDisplay } from '../src-main/serve/openInBrowser.ts';
import { buildIfStale, root } from './build.ts';
import { type ElectronBinary, electronBinary } from './electronBinary.ts';

// npm start [-- --serve] [--port N] [--no-open]: the desktop app or, where it cannot be had, the same in a browser.
const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    'no-open': { type: 'boolean', default: false },
  },
});

async function desktop(): Promise<ElectronBinary> {
  if (!hasDisplay()) return { lack: 'there is no display' };
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return { lack: 'Electron does not run as root' };
  return electronBinary();
}

/** Hands over to the other program: its output, its signals, its exit code. */
function become(command: string, args: readonly string[]): void {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches both; the child decides when it has ended.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

const electron = values.serve ? { lack: null } : await desktop();
try {
  if ('path' in electron) {
    await buildIfStale('desktop');
    become(electron.path, [root]);
  } else {
    if (electron.lack !== null) {
      process.stderr.write(
        `The desktop app cannot start here, because ${electron.lack}: the workbench opens in a browser.\n`,
      );
    }
    await buildIfStale('renderer');
    const open = values['no-open'] || !hasDisplay() ? ['--no-open'] : [];
    become(process.execPath, [
      join(root, 'src-main', 'cli', 'main.ts'),
      'serve',
      '--port',
      values.port,
      ...open,
    ]);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
