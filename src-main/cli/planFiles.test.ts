import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../app/createApp.ts';
import { memorySecrets } from '../app/secrets.ts';
import { runFile } from './runFile.ts';
import { fakeCli } from './testCli.ts';

let folder: string;
let app: Awaited<ReturnType<typeof createApp>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-files-'));
  app = await createApp({ dataFolder: join(folder, 'data'), secrets: memorySecrets() });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

function planOf(text: string): string {
  const file = join(folder, 'plan.yaml');
  writeFileSync(file, text);
  return file;
}
const yamlError = (message: string) => expect.objectContaining({ code: 'yaml-syntax', message });

test('a file that is far too large is refused without being read whole', async () => {
  const file = process.platform === 'linux' ? '/dev/zero' : planOf(' '.repeat(5 * 1024 * 1024));
  await expect(runFile(fakeCli(app).cli, file, {})).rejects.toEqual(
    yamlError('The file is larger than 128 KiB: that is no plan'),
  );
});

test.each(['a: '.concat('['.repeat(120_000)), '- '.repeat(60_000)])(
  'a file nested too deeply is said as that',
  async (text) => {
    await expect(runFile(fakeCli(app).cli, planOf(text), {})).rejects.toEqual(
      yamlError('The file is nested too deeply: that is no plan'),
    );
  },
);
