import { createHash } from 'node:crypto';
import { z } from 'zod';
import { runSchema } from '../../src-shared/model/run.ts';
import { timeAxisSchema } from '../../src-shared/model/timeAxis.ts';
import type { RunRecord } from '../reports/exports/format.ts';
import { redactText } from './redact.ts';

/** Whose names are taken out of what is exported. */
export interface Names {
  user: string;
  home: string;
}

/** The run without passwords, wherever they got in. */
export function withoutSecrets(record: RunRecord): RunRecord {
  return mapTexts(record, redactText);
}

/**
 * The run without the user's name, paths below a home folder and the client machine's own name. What the machine is called
 * becomes a word made of it, the same for the same machine, so that runs from two machines still differ.
 */
export function withoutNames(record: RunRecord, names: Names): RunRecord {
  const hostname = record.run.client?.hostname ?? '';
  const cleaned = mapTexts(record, anonymizer({ ...names, hostname }));
  const client = cleaned.run.client && { ...cleaned.run.client, hostname: pseudonym(hostname) };
  return { ...cleaned, run: { ...cleaned.run, client } };
}

/** Names that everybody has, and words of which texts are full. */
const commonNames = new Set(
  'root pi admin administrator user ubuntu debian postgres server client host test guest runner'.split(' '),
);
/** Of Linux, macOS and Windows, where a folder may have blanks in its name. A path in JSON has its backslashes doubled. */
const homePaths =
  /[A-Za-z]:\\{1,2}Users\\{1,2}[^\s/\\:"'<>|~]+(?: [^\s/\\:"'<>|~]+){1,4}(?=\\)|(?:\/(?:home|Users)\/|[A-Za-z]:\\{1,2}Users\\{1,2})[^\s/\\:"'<>|~]+|\/root(?=[/\s"':]|$)/g;

/** A function that takes names out of a text; applied twice it does no more. */
export function anonymizer(names: Names & { hostname: string }): (text: string) => string {
  const { user, home, hostname } = names;
  const isCommon = user.length < 3 || commonNames.has(user.toLowerCase());
  const userWord = isCommon ? null : word(user, 'giu');
  // A name such as `server` is a word of every second sentence.
  const hostWord = /[\d.-]/.test(hostname) && hostname.length > 3 ? word(hostname, 'gu') : null;
  return (text) => {
    let clean = home.length > 1 ? text.replaceAll(home, '~') : text;
    clean = clean.replace(homePaths, '~');
    if (hostWord) clean = clean.replace(hostWord, pseudonym(hostname));
    // A text of one word is a code or a label of ours, never a name.
    return userWord && /[\s/\\@"'=:]/.test(clean) ? clean.replace(userWord, 'user') : clean;
  };
}

function word(name: string, flags: string): RegExp {
  const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${literal}(?![\\p{L}\\p{N}_-])`, flags);
}

const pseudonyms = /^client-[0-9a-f]{8}$/;
function pseudonym(hostname: string): string {
  if (pseudonyms.test(hostname)) return hostname;
  return `client-${createHash('sha256').update(hostname).digest('hex').slice(0, 8)}`;
}

function mapTexts(record: RunRecord, change: (text: string) => string): RunRecord {
  return {
    run: runSchema.parse(mapValue(record.run, change)),
    series: timeAxisSchema.parse(mapValue(record.series, change)),
    histograms: () =>
      record.histograms().map((histogram) => ({ ...histogram, operation: change(histogram.operation) })),
  };
}

function mapValue(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapValue(item, change));
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  if (!object.success) return value;
  return Object.fromEntries(Object.entries(object.data).map(([key, item]) => [key, mapValue(item, change)]));
}
