import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { safeStorage } from 'electron';
import { z } from 'zod';
import { memorySecrets, type SecretStore } from '../app/secrets.ts';

const fileSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), z.base64()) });
type SecretFile = z.infer<typeof fileSchema>;

/**
 * Passwords encrypted with a key of the system's key store (Keychain, DPAPI, libsecret, KWallet), the cipher text in the
 * data folder. Where the system has none, they stay in memory and the store says so. Call once the app is ready.
 */
export async function osSecrets(dataFolder: string): Promise<SecretStore> {
  const lack = await whatIsLacking();
  if (lack !== null)
    return { ...memorySecrets(), detail: `${lack} Passwords are kept until Benchberry ends.` };
  const path = join(dataFolder, 'desktop', 'secrets.json');
  let queue: Promise<unknown> = Promise.resolve();

  /** One change after the other, each written completely or not at all. */
  function change(apply: (secrets: SecretFile['secrets']) => Promise<void> | void): Promise<void> {
    const done = queue.then(async () => {
      const file = await readSecretFile(path);
      await apply(file.secrets);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.new`, JSON.stringify(file), { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    queue = done.catch(() => undefined); // its caller has the error; the next change goes on
    return done;
  }

  return {
    kind: 'os-key-store',
    detail: `Passwords are kept encrypted, the key in ${keyStoreName()}.`,
    async get(id) {
      await queue;
      const { secrets } = await readSecretFile(path);
      const cipher = secrets[id];
      if (cipher === undefined) return null;
      try {
        const { result } = await safeStorage.decryptStringAsync(Buffer.from(cipher, 'base64'));
        return result;
      } catch {
        // The key is gone, e.g. a new user account: the password is asked for again.
        return null;
      }
    },
    set: (id, secret) =>
      change(async (secrets) => {
        secrets[id] = (await safeStorage.encryptStringAsync(secret)).toString('base64');
      }),
    remove: (id) =>
      change((secrets) => {
        delete secrets[id];
      }),
  };
}

/** null where there is a key store worth the name. Chromium's `basic_text` has its key in its own source code. */
async function whatIsLacking(): Promise<string | null> {
  if (process.platform === 'linux') {
    const backend = safeStorage.getSelectedStorageBackend();
    if (backend === 'basic_text' || backend === 'unknown')
      return 'This desktop has no key store (no libsecret, no KWallet).';
  }
  return (await safeStorage.isAsyncEncryptionAvailable()) ? null : "The system's key store cannot be used.";
}

function keyStoreName(): string {
  if (process.platform === 'darwin') return 'the Keychain';
  if (process.platform === 'win32') return 'the Windows user account';
  return safeStorage.getSelectedStorageBackend().replace('gnome_', '');
}

/** An unreadable file is an error and is left as it is; no file is an empty one. */
async function readSecretFile(path: string): Promise<SecretFile> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { version: 1, secrets: {} };
    throw error;
  }
}
