import { z } from 'zod';
import { inventorySchema } from '../../src-shared/model/host.ts';
import { provisioningSchema } from '../../src-shared/model/provision.ts';
import { quote } from '../hosts/quote.ts';
import type { Remote } from '../hosts/remote.ts';
import type { SavedStep, StoredProvisioning } from '../store/repositories.ts';
import { failedScript } from './failures.ts';

/**
 * What was changed on a host and how it is taken back, kept on the host itself for root only: it can be undone from
 * another workbench too, or by hand. No secret is in it.
 */
const folder = '/var/lib/benchberry';

const journalSchema = z.object({
  version: z.literal(1),
  provisioning: provisioningSchema,
  host: inventorySchema,
  saved: z.record(
    z.string(),
    z.object({
      state: z.record(z.string(), z.unknown()),
      undo: z.string().nullable(),
      needsRoot: z.boolean(),
      bootId: z.string(),
      applied: z.boolean().optional(),
    }) satisfies z.ZodType<SavedStep>,
  ),
});

const fileOf = (id: string) => `${folder}/${id.replaceAll(/[^\w-]/g, '_')}.json`;

/** @throws AppError `disk-full`, `no-permission`, what `Remote` throws */
export async function writeJournal(
  remote: Remote,
  { provisioning, saved, host }: StoredProvisioning,
  signal: AbortSignal,
): Promise<void> {
  const steps = provisioning.steps.map((step) => ({ ...step, log: '' }));
  const text = JSON.stringify({ version: 1, provisioning: { ...provisioning, steps }, host, saved });
  const made = await remote.run(['install', '-d', '-m', '700', folder], { root: true, signal });
  if (made.code !== 0)
    throw failedScript('Remember on the host what was there before', made.code, made.stderr);
  await remote.writeFile(fileOf(provisioning.id), `${text}\n`, { root: true, mode: 0o600, signal });
}

/** When all is undone, nothing of it stays on the host. */
export async function removeJournal(remote: Remote, id: string, signal: AbortSignal): Promise<void> {
  const script = `rm -f ${quote(fileOf(id))}; rmdir ${folder} 2>/dev/null; true`;
  await remote.script(script, { root: true, signal });
}

/** Everything the host remembers; what cannot be read is left out. Reads only. */
export async function readJournals(
  remote: Remote,
  signal: AbortSignal,
): Promise<Pick<StoredProvisioning, 'provisioning' | 'saved' | 'host'>[]> {
  const list = `for file in ${folder}/*.json; do [ -e "$file" ] && tr -d '\\n' < "$file" && echo; done; true`;
  const { stdout } = await remote.script(list, { root: true, signal });
  return stdout.split('\n').flatMap((line) => {
    const parsed = journalSchema.safeParse(jsonOf(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // cut short, or of another program
  }
}
