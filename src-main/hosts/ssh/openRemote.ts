import type { Remote } from '../remote.ts';
import { readFile, writeFile } from './files.ts';
import { lines } from './lines.ts';
import { reboot } from './reboot.ts';
import { commandScript, scriptFromInput } from './scripts.ts';
import { type Access, createSession, type HostAddress, type Session } from './session.ts';

/**
 * Signs in and keeps the connection; when it is lost, everything under way is rejected and the next call signs in anew.
 * @throws AppError `host-key-unknown`, `host-key-changed`, `password-needed`, `wrong-password`, `sign-in-refused`,
 *   `host-not-found`, `connection-refused`, `connection-timeout`, `connection-lost`, `not-found` (key file),
 *   `unsupported` (an alias behind another host), `cancelled`
 */
export async function openRemote(host: HostAddress, access: Access, signal: AbortSignal): Promise<Remote> {
  const session = createSession(host, access);
  try {
    await session.connected(signal);
  } catch (error) {
    await session.close();
    throw error;
  }
  return createRemote(host, session);
}

function createRemote(host: HostAddress, session: Session): Remote {
  const remote: Remote = {
    address: host.address,
    user: host.user,
    run: (command, options = {}) => session.run(commandScript(command), options),
    script: (text, options = {}) => {
      const { script, input } = scriptFromInput(text, options.input ?? '');
      return session.run(script, { ...options, input });
    },
    async stream(command, onLine, options) {
      const split = lines(onLine);
      const result = await session.run(commandScript(command), {
        ...options,
        keep: false,
        onStdout: split.add,
      });
      split.end();
      return result;
    },
    readFile: (path, options = {}) => readFile(remote, path, options),
    writeFile: (path, text, options = {}) => writeFile(remote, path, text, options),
    reboot: (signal) => reboot(remote, session, signal),
    close: () => session.close(),
  };
  return remote;
}
