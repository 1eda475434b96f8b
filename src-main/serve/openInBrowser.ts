import { spawn } from 'node:child_process';

/** Whether a browser's window can be seen here: always on Windows and macOS, elsewhere when there is a display. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env, platform = process.platform): boolean {
  return platform === 'win32' || platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Opens an address of `serve` with the system's browser. Answers whether one was started; the address is printed anyway.
 * No shell reads the address.
 */
export function openInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = opener(process.platform);
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
}

function opener(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
