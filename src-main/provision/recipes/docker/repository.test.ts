import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fact, testInventory } from '../testInventory.ts';
import { docker } from './index.ts';

const own = { source: 'docker' };
const steps = (given: Record<string, unknown>, host: Parameters<typeof testInventory>[0] = {}) =>
  docker.steps(testInventory(host), given);
const repository = (host: Parameters<typeof testInventory>[0], given: object = {}) =>
  steps({ ...own, ...given }, host).find(({ id }) => id === 'repository')?.changes[0];

describe('Docker’s own repository', () => {
  it('is not touched unless it is asked for', () => {
    expect(steps({}).map(({ id }) => id)).toEqual(['packages', 'configuration', 'memory']);
    expect(
      steps({})
        .map((step) => step.apply())
        .join(),
    ).not.toContain('download.docker.com');
  });

  it('is the one for the system’s family, release and architecture', () => {
    expect(repository({})).toMatch(/linux\/debian, trixie, stable, arm64\.$/);
    expect(repository({ codename: fact('noble'), distribution: fact('ubuntu') })).toMatch(
      /linux\/ubuntu, noble, stable, arm64/,
    );
    // Raspbian has had none since Docker 29: Debian's packages are for ARMv7.
    const raspbian = {
      distribution: fact('raspbian'),
      userlandArch: fact('armhf'),
      codename: fact('bookworm'),
    };
    expect(repository(raspbian)).toMatch(/linux\/debian, bookworm, stable, armhf/);
  });

  it('takes a mirror and a fingerprint as people write it', () => {
    const given = { repository: 'http://10.0.0.5:8080/linux', fingerprint: `${'ab12 '.repeat(10)}` };
    const [step] = steps({ ...own, ...given });
    expect(step?.changes.join('\n')).toContain('http://10.0.0.5:8080/linux/debian/gpg');
    expect(step?.apply()).toContain(`'${'AB12'.repeat(10)}'`.replaceAll("'", ''));
    expect(docker.parameters.safeParse({ fingerprint: '8D81803C0EBFCD88' }).success).toBe(false);
    expect(docker.parameters.safeParse({ repository: 'https://x/$(reboot)' }).success).toBe(false);
  });

  it('has packages for three architectures', () => {
    const refuse = (arch: string) => docker.refuse(testInventory({ userlandArch: fact(arch) }), own);
    expect(['arm64', 'armhf', 'amd64'].map(refuse)).toEqual([null, null, null]);
    expect(refuse('riscv64')).toMatch(/this system is riscv64/);
  });

  it.skipIf(process.platform === 'win32')('is set up by scripts that a shell can read', () => {
    const all = steps({ ...own, group: true, dataRoot: "/mnt/it's here" });
    for (const step of all) {
      const undo = step.undo({ before: null, hadToken: false }) ?? '';
      for (const text of [step.apply(), step.test, undo]) execFileSync('sh', ['-n'], { input: text });
    }
  });
});
