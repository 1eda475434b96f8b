import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import type { Remote } from '../../../hosts/remote.ts';
import { type ServerSetting, serverSettingSchema } from '../../tuning/serverSettings.ts';
import type { Server } from './server.ts';

/** A server as the recipe finds it. */
export interface Found {
  /** Every row of pg_settings; null where the server is not there, or does not run. */
  settings: ServerSetting[] | null;
  /** Where the settings go. */
  method: 'file' | 'alter-system';
  /** That file's path and whole text; null where there is none yet. */
  file: string;
  before: string | null;
}

/** Reads only. */
export async function readServer(server: Server, remote: Remote, signal: AbortSignal): Promise<Found> {
  const { code, stdout, stderr } = await remote.script(
    `cd /
if ! ${server.there}; then echo '{"there":false}'; exit 0; fi
${server.tools}
${server.place}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exists=false
if fetch "$file" "$work/file" 2>/dev/null; then exists=true; else : > "$work/file"; fi
printf '{"there":true,"method":"%s","exists":%s,"file":"%s","text":"%s","settings":' "$method" "$exists" \\
  "$(printf %s "$file" | base64 -w 0)" "$(base64 -w 0 "$work/file")"
${server.psql} -c "select json_agg(json_build_object('name', name, 'setting', setting, 'unit', unit, 'vartype', vartype,
  'context', context, 'min_val', min_val, 'max_val', max_val, 'enumvals', enumvals, 'sourcefile', sourcefile,
  'pending_restart', pending_restart)) from pg_settings" < /dev/null 2>/dev/null || echo null
echo '}'`,
    { root: true, signal },
  );
  const parsed = answerSchema.safeParse(code === 0 ? jsonOf(stdout) : null);
  if (!parsed.success) {
    throw new AppError({
      code: 'server-error',
      message: `The settings of the ${server.name} cannot be read`,
      detail: (stderr || stdout).trim().slice(0, 500) || `exit code ${code}`,
    });
  }
  if (!parsed.data.there) return { settings: null, method: 'file', file: server.ownFile ?? '', before: null };
  const { method, exists, file, text, settings } = parsed.data;
  return { method, settings, file: decoded(file), before: exists ? decoded(text) : null };
}

const answerSchema = z.discriminatedUnion('there', [
  z.object({ there: z.literal(false) }),
  z.object({
    there: z.literal(true),
    method: z.enum(['file', 'alter-system']),
    exists: z.boolean(),
    file: z.string(),
    text: z.string(),
    settings: z.array(serverSettingSchema).nullable(),
  }),
]);

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // told above, with the text
  }
}
