import { z } from 'zod';
import { durationMs } from '../../../src-shared/duration.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { resendFor } from '../http/resending.ts';

const group = 'OpenTSDB';
const field = (meta: FieldMeta) => ({ group, advanced: true, ...meta });

/** What only a load into OpenTSDB has. */
export const loadOptionsSchema = z.object({
  opentsdbTransport: z
    .enum(['http', 'telnet'])
    .default('http')
    .meta(
      field({
        title: 'Points over',
        description:
          'HTTP: each request is answered with how many points were taken and which were not. Telnet: lines of the old protocol, as in the article of 2013; nothing is answered to a point that is taken, so the rate is that of what was sent, and only the final count tells what was stored.',
        advanced: false,
        optionLabels: { http: 'HTTP, each request answered', telnet: 'Telnet put, without an answer' },
      }),
    ),
  opentsdbSync: z
    .boolean()
    .default(false)
    .meta(
      field({
        title: 'Wait for HBase',
        description:
          'A request is answered once HBase has its points (sync). Off: once they are queued in OpenTSDB, which hands them on within flush_interval, a second unless changed. HTTP only.',
      }),
    ),
  opentsdbGzip: z
    .boolean()
    .default(false)
    .meta(
      field({
        title: 'Compress requests',
        description:
          'Send points as gzip: about a tenth of the bytes for some CPU on both sides. Worth it on a slow network. HTTP only.',
      }),
    ),
  resendFor,
});
type LoadOptions = z.infer<typeof loadOptionsSchema>;

/** `Prepared.driver`: what writers and the session need. */
export const layoutSchema = z.object({
  transport: z.enum(['http', 'telnet']),
  sync: z.boolean(),
  gzip: z.boolean(),
  resendMs: z.int(),
  /** Tags that the server takes for a point. */
  mostTags: z.int().min(1),
  /** Bytes of one request. */
  requestBytes: z.int().min(1),
  /** With the metrics whose points are its rows. */
  tables: z.array(z.object({ name: z.string(), metrics: z.array(z.string()) })),
});
export type Layout = z.infer<typeof layoutSchema>;

export function layoutOf(
  options: LoadOptions,
  about: Pick<Layout, 'mostTags' | 'requestBytes' | 'tables'>,
): Layout {
  return {
    ...about,
    transport: options.opentsdbTransport,
    sync: options.opentsdbSync,
    gzip: options.opentsdbGzip,
    resendMs: durationMs(options.resendFor),
  };
}
