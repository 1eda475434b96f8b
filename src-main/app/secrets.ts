/** Where passwords are kept: never in the store, never in a file of ours. The desktop brings one backed by the OS key store. */
export interface SecretStore {
  kind: 'os-key-store' | 'memory';
  /** In words for the user, e.g. `Passwords are kept until Benchberry ends`. */
  detail: string;
  get(id: string): Promise<string | null>;
  set(id: string, secret: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Secrets that end with the process: for `serve`, the command line and systems without a key store. */
export function memorySecrets(): SecretStore {
  const secrets = new Map<string, string>();
  return {
    kind: 'memory',
    detail: 'Passwords are kept until Benchberry ends.',
    get: async (id) => secrets.get(id) ?? null,
    set: async (id, secret) => void secrets.set(id, secret),
    remove: async (id) => void secrets.delete(id),
  };
}
