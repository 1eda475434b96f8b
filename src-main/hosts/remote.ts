/**
 * A signed-in host as everybody else sees it: recipes, the inventory, the sampler, the gate. Implemented over ssh2 in
 * `hosts/ssh/`; tests run the same calls on a virtual Pi.
 */
export interface Remote {
  readonly address: string;
  readonly user: string;
  /**
   * Runs a program with its arguments; each argument arrives exactly as given, whatever is in it.
   * @throws AppError `connection-lost`, `cancelled`, `connection-timeout` after `timeoutMs`; as root also `password-needed`,
   *   `wrong-password` and `no-permission`, before the command has begun; a sign-in's errors when it must be done anew.
   *   An exit code is an answer, not an error
   */
  run(command: readonly [string, ...string[]], options?: RemoteOptions): Promise<RemoteResult>;
  /**
   * Runs a POSIX shell script sent on standard input, so that no part of it is ever in a command line. `input` follows it
   * and is what the script itself reads (`read -r`); a script that arrives cut short is not run at all.
   */
  script(text: string, options?: RemoteOptions): Promise<RemoteResult>;
  /** A program whose output is read as it comes; ends with the signal or the connection. `stdout` of the result is empty. */
  stream(
    command: readonly [string, ...string[]],
    onLine: (line: string) => void,
    options: RemoteOptions,
  ): Promise<RemoteResult>;
  /** Whole text of a file; null where there is none. */
  readFile(path: string, options?: RemoteOptions): Promise<string | null>;
  /** Written beside and moved over: whole or not at all. */
  writeFile(path: string, text: string, options?: RemoteOptions & { mode?: number }): Promise<void>;
  /** Restarts the host and resolves with the new connection in place once its boot id has changed. */
  reboot(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface RemoteOptions {
  /** As root: through sudo (password on stdin after its prompt, never in argv), or as it is for root itself. */
  root?: boolean;
  input?: string;
  signal?: AbortSignal;
  /** Told every piece of output as it comes, for logs. */
  onOutput?: (text: string) => void;
  /** Give up after so many ms; none by default. */
  timeoutMs?: number;
}

export interface RemoteResult {
  /** 128 + signal number where a signal ended it. */
  code: number;
  stdout: string;
  stderr: string;
}
