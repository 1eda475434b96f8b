import { z } from 'zod';
import { checkConnection, connectionField, hostAndPort, readUrl, tlsParameters } from '../connectionParts.ts';
import type { Endpoint } from '../driver.ts';
import { httpConnection } from '../http/connection.ts';

const queriesOver = z
  .enum(['api', 'q', 'q-cached'])
  .default('api')
  .meta(
    connectionField({
      title: 'Queries over',
      description:
        'How measured fetches are asked. /api/query keeps no results. The old /q writes each answer to the server’s disk and, unless it is told not to, answers from there when it is asked the same again.',
      optionLabels: {
        api: '/api/query, answers in JSON',
        q: '/q, answers as lines, computed anew',
        'q-cached': '/q, answers as lines, also from its cache on disk',
      },
    }),
  );

/** A target's connection fields. A password is for a proxy: OpenTSDB itself asks for none. */
export const connectionSchema = httpConnection({ port: 4242, product: 'OpenTSDB' }).extend({ queriesOver });

/** Which form of a fetch each way of asking wants. */
const dialects = { api: 'opentsdb', q: 'opentsdb-q', 'q-cached': 'opentsdb-q-cached' } as const;

export function dialectOf({ connection }: Endpoint): string {
  return dialects[queriesOver.parse(connection.queriesOver)];
}

/** @throws AppError `bad-input` naming the field */
export function resolveConnection(given: unknown, secret: string | null): Endpoint {
  const connection = checkConnection(connectionSchema, given);
  return {
    engine: 'opentsdb',
    label: hostAndPort(connection),
    connection: { ...connection, password: secret === '' ? null : secret },
  };
}

/** `opentsdb://host:4242?queriesOver=q`. @throws AppError `bad-input` */
export function parseUrl(text: string): ReturnType<typeof readUrl> {
  return readUrl(text, {
    scheme: /^opentsdb:\/\//i,
    hint: 'It looks like opentsdb://host:4242, with ?queriesOver=q for the old way of asking.',
    parameters: { queriesOver: (value) => ({ queriesOver: value }), ...tlsParameters },
  });
}
