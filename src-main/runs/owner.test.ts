import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { currentOwner, isAlive } from './owner.ts';

describe('the owner of a run', () => {
  it('is alive while this process is, and another process of its pid is not it', () => {
    const owner = currentOwner();
    expect(owner.pid).toBe(process.pid);
    expect(isAlive(owner)).toBe(true);
    expect(isAlive({ ...owner, startedAt: owner.startedAt - 1_000_000 })).toBe(false);
  });

  it('is gone once its process is', async () => {
    const program =
      "import('./src-main/runs/owner.ts').then((m) => console.log(JSON.stringify(m.currentOwner())))";
    const child = spawn(process.execPath, ['-e', `${program}; setInterval(() => {}, 1000)`]);
    const [line] = await once(child.stdout, 'data');
    const owner = JSON.parse(String(line));
    expect(owner.pid).toBe(child.pid);
    expect(isAlive(owner)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(owner)).toBe(false);
  });

  it('that makes no sense is not alive', () => {
    expect(isAlive({ pid: 0, startedAt: 0 })).toBe(false);
    expect(isAlive({ pid: -1, startedAt: 0 })).toBe(false);
  });
});
