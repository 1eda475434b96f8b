import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quote } from '../hosts/quote.ts';
import { makeProvisioning } from '../store/testHost.ts';
import type { PlannedStep } from './planned.ts';
import { planScript } from './script.ts';
import type { Step } from './step.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-script-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const step = (part: Partial<Step>): Step => ({
  id: 'one',
  title: 'A step',
  changes: [],
  needsRoot: true,
  needsReboot: false,
  reversible: true,
  check: async () => ({ done: false, evidence: '', saved: {} }),
  test: '[ -e /dev/null ]',
  apply: () => ':',
  undo: () => null,
  ...part,
});
const planned = (part: Partial<Step>, own = false): PlannedStep => ({
  id: 'x.one',
  recipe: 'x',
  step: step(part),
  own,
  place: own ? null : 0,
});
const host = { name: 'Pi', address: 'raspberrypi.local' };

/** Whoever runs the tests need not be root. */
function run(script: string): string {
  return execFileSync('sh', ['-s'], {
    input: script.replace(/^\[ "\$\(id -u\)" = 0 \].*$/m, ''),
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
}

describe.skipIf(process.platform === 'win32')('the exported script', () => {
  test('makes what is not so, and nothing the second time', () => {
    const file = quote(join(folder, 'a "file" $(x)'));
    const script = planScript(host, makeProvisioning(), [
      planned({ title: "It's made", test: `[ -e ${file} ]`, apply: () => `echo made >> ${file}` }),
    ]);
    expect(run(script)).toBe("== 1. It's made\nAll done.\n");
    expect(run(script)).toBe("== 1. It's made\nAlready so.\nAll done.\n");
    expect(readFileSync(join(folder, 'a "file" $(x)'), 'utf8')).toBe('made\n');
  });

  test('ends at a step that fails, and at one that does not hold', () => {
    const after = join(folder, 'after');
    const last = planned({ apply: () => `touch ${quote(after)}` });
    for (const first of [
      planned({ test: 'false', apply: () => 'false\ntrue' }),
      planned({ test: 'false', apply: () => 'true' }),
    ]) {
      expect(() => run(planScript(host, makeProvisioning(), [first, last]))).toThrow(/Command failed/);
      expect(existsSync(after)).toBe(false);
    }
  });

  test('says that a restart is needed instead of failing', () => {
    const script = planScript(host, makeProvisioning(), [planned({ test: 'false', needsReboot: true })]);
    expect(run(script)).toContain('Restart the host now');
  });

  test('runs own commands whatever quotes are in them', () => {
    const file = join(folder, 'own');
    const text = `cat > ${quote(file)} <<'end'\nit's $(me) "here"\nend`;
    const script = planScript(host, makeProvisioning(), [
      planned({ needsRoot: false, apply: () => text }, true),
    ]);
    // As root through sudo they would run as the user who called it; without sudo they run as they are.
    run(script);
    expect(readFileSync(file, 'utf8')).toBe('it\'s $(me) "here"\n');
  });

  test('no name breaks out of its comment, and secrets are asked for', () => {
    const evil = { name: 'Pi\ntouch /evil', address: 'x\r\ny' };
    const secret = planned({
      title: 'T\nrm -rf',
      secretInput: ['hunter2'],
      apply: () => 'IFS= read -r secret',
    });
    const script = planScript(evil, makeProvisioning(), [secret]);
    expect(script).not.toMatch(/^touch|^rm -rf\r?$/m);
    expect(script).not.toContain('hunter2');
    expect(script).toContain('ask ');
    execFileSync('sh', ['-n'], { input: script });
  });
});
