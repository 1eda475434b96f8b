import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import { quote } from '../../../hosts/quote.ts';
import type { Remote } from '../../../hosts/remote.ts';
import { type ServerSetting, serverSettingSchema } from '../../tuning/serverSettings.ts';

/** A cluster as the recipe finds it. */
export interface Found {
  /** Every row of pg_settings; null where the cluster is not there, or does not run. */
  settings: ServerSetting[] | null;
  /** Where the settings go. */
  method: 'file' | 'alter-system';
  /** That file's path and whole text; null where there is none yet. */
  file: string;
  before: string | null;
}

export interface Cluster {
  version: string;
  cluster: string;
}

export const configFolder = ({ version, cluster }: Cluster) => `/etc/postgresql/${version}/${cluster}`;
export const ownFile = (where: Cluster) => `${configFolder(where)}/conf.d/90-benchberry.conf`;

/** Ends with 0 where the cluster reads conf.d. */
export const readsConfD = (where: Cluster) =>
  `grep -Eq "^[[:space:]]*include_dir[[:space:]]*=?[[:space:]]*'conf.d'" ${configFolder(where)}/postgresql.conf`;

/** psql as the superuser, in the folder / that it can read. */
export const psql = ({ version, cluster }: Cluster) =>
  `runuser -u postgres -- psql -X -q -A -t -v ON_ERROR_STOP=1 --cluster ${version}/${cluster} -d postgres`;

/** Reads only. */
export async function readServer(where: Cluster, remote: Remote, signal: AbortSignal): Promise<Found> {
  const { code, stdout, stderr } = await remote.script(
    `cd /
[ -f ${configFolder(where)}/postgresql.conf ] || { echo '{"there":false}'; exit 0; }
file=${ownFile(where)}; method=file
if ! ${readsConfD(where)}; then
  method=alter-system
  file=$(sed -n "s/^[[:space:]]*data_directory[[:space:]]*=[[:space:]]*'\\([^']*\\)'.*/\\1/p" ${configFolder(where)}/postgresql.conf | tail -n 1)/postgresql.auto.conf
fi
if [ -e "$file" ]; then exists=true; else exists=false; fi
printf '{"there":true,"method":"%s","exists":%s,"file":"%s","text":"%s","settings":' "$method" "$exists" \\
  "$(printf %s "$file" | base64 -w 0)" "$(base64 -w 0 "$file" 2>/dev/null)"
${psql(where)} -c "select json_agg(json_build_object('name', name, 'setting', setting, 'unit', unit, 'vartype', vartype,
  'context', context, 'min_val', min_val, 'max_val', max_val, 'enumvals', enumvals, 'sourcefile', sourcefile,
  'pending_restart', pending_restart)) from pg_settings" 2>/dev/null || echo null
echo '}'`,
    { root: true, signal },
  );
  const parsed = answerSchema.safeParse(code === 0 ? jsonOf(stdout) : null);
  if (!parsed.success) {
    throw new AppError({
      code: 'server-error',
      message: `The settings of the cluster ${quote(where.cluster)} cannot be read`,
      detail: (stderr || stdout).trim().slice(0, 500) || `exit code ${code}`,
    });
  }
  if (!parsed.data.there) return { settings: null, method: 'file', file: ownFile(where), before: null };
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
