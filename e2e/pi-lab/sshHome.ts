import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, until } from './shell.ts';

/** A home folder of its own for the workbench's user, with keys, an agent and the files of OpenSSH as they are wanted. */
export interface SshHome {
  readonly folder: string;
  /** Writes a file under ~/.ssh. */
  write(name: string, text: string): Promise<void>;
  /** Makes a key pair under ~/.ssh with ssh-keygen; returns the path of the private half and the public half's text. */
  key(name: string, ...options: string[]): Promise<{ file: string; publicKey: string }>;
  /** Starts ssh-agent with these keys in it, and sets SSH_AUTH_SOCK. */
  agent(...files: string[]): Promise<void>;
  /** Puts a key without a passphrase into the agent that runs. */
  addToAgent(file: string): Promise<void>;
  /** Forgets ~/.ssh and ends the agent. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function sshHome(): Promise<SshHome> {
  const before = { home: process.env.HOME, agent: process.env.SSH_AUTH_SOCK };
  const folder = await mkdtemp(join(tmpdir(), 'benchberry-ssh-'));
  const ssh = join(folder, '.ssh');
  let agent: ChildProcess | null = null;
  const clear = async () => {
    agent?.kill();
    agent = null;
    delete process.env.SSH_AUTH_SOCK;
    await rm(ssh, { recursive: true, force: true });
    await mkdir(ssh, { mode: 0o700 });
  };
  process.env.HOME = folder;
  await clear();
  const addToAgent = async (file: string) => {
    await run('ssh-add', ['-q', file]);
  };
  return {
    folder,
    write: (name, text) => writeFile(join(ssh, name), text, { mode: 0o600 }),
    key: async (name, ...options) => {
      const file = join(ssh, name);
      const passphrase = options.includes('-N') ? [] : ['-N', ''];
      await run('ssh-keygen', ['-q', '-f', file, '-C', '', ...passphrase, ...options]);
      return { file, publicKey: await readFile(`${file}.pub`, 'utf8') };
    },
    agent: async (...files) => {
      const socket = join(folder, 'agent');
      await rm(socket, { force: true });
      agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
      process.env.SSH_AUTH_SOCK = socket;
      // ssh-add ends with 1 when the agent has no key yet, with 2 when there is no agent.
      await until('the agent', () => run('sh', ['-c', 'ssh-add -l; [ $? -ne 2 ]']).then(() => true));
      for (const file of files) await addToAgent(file);
    },
    addToAgent,
    clear,
    close: async () => {
      await clear();
      await rm(folder, { recursive: true, force: true });
      process.env.HOME = before.home;
      if (before.agent !== undefined) process.env.SSH_AUTH_SOCK = before.agent;
    },
  };
}
