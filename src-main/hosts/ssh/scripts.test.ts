import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptFromInput } from './scripts.ts';

const shell = (script: string, input: string) => spawnSync('sh', ['-c', script], { input, encoding: 'utf8' });

describe.skipIf(process.platform === 'win32')('a script on standard input', () => {
  it('is run whole, and what follows it is its own input', () => {
    const { script, input } = scriptFromInput(
      'read -r a\nprintf "[%s]" "$a"\ncat <<E\nhere\nE',
      'first é\nrest',
    );
    expect(shell(script, input)).toMatchObject({ status: 0, stdout: '[first é]here\n' });
    const all = scriptFromInput('cat', 'one\ntwo\n');
    expect(shell(all.script, all.input).stdout).toBe('one\ntwo\n');
  });

  it('gives its exit code and keeps its text out of the command line', () => {
    const { script, input } = scriptFromInput('exit 9', '');
    expect(script).not.toContain('exit 9');
    expect(shell(script, input).status).toBe(9);
  });

  it('is not begun when a part of it is missing', () => {
    const { script, input } = scriptFromInput('echo begun\necho é\n', '');
    fc.assert(
      fc.property(fc.nat(Buffer.byteLength(input) - 1), (length) => {
        const part = Buffer.from(input).subarray(0, length);
        const result = spawnSync('sh', ['-c', script], { input: part, encoding: 'utf8' });
        expect(result).toMatchObject({ status: 75, stdout: '' });
      }),
      { numRuns: 30 },
    );
  });
});
