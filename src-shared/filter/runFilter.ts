import { type FacetKey, facetKeys } from '../model/facet.ts';
import { runStatuses } from '../model/run.ts';
import { verdictCodes } from '../model/verdict.ts';
import { nearest } from '../nearest.ts';

/**
 * The one grammar that runs are searched by: the field of the list and `benchberry list --filter`.
 *
 *     engine:questdb tag:nvme -verdict:valid since:2026-11-01 pi:"pi 5" slow card
 *
 * Terms stand side by side and all must hold; `-` before one turns it round. A word or a text in quotes is looked for in
 * name, plan, target, server, tags, notes and id, whatever its case. In quotes `\"` is a quote and `\\` a backslash.
 */

/** How a value fits, and what it is, in words. */
export const facetMeanings: Record<FacetKey, { fit: 'whole' | 'start' | 'part'; about: string }> = {
  engine: {
    fit: 'whole',
    about: 'the engine, as targets name it: postgresql, timescaledb, questdb, sandbox',
  },
  pi: { fit: 'part', about: 'a part of the model of the host: pi:5, pi:"3 model b"' },
  version: { fit: 'start', about: 'how the version of the server begins: version:17' },
  tag: { fit: 'whole', about: 'a tag' },
  verdict: { fit: 'whole', about: 'a verdict, such as valid, client-bound, throttled or failed' },
  status: { fit: 'whole', about: 'running, finished, failed, cancelled, interrupted' },
  target: { fit: 'part', about: 'a part of the name of the target' },
  plan: { fit: 'part', about: 'a part of the name of the plan' },
};

export type FilterTerm = { not: boolean } & (
  | { kind: 'text'; value: string }
  | { kind: 'facet'; key: FacetKey; value: string }
  /** `at`: the moment that the value stands for, ISO; `since` from it on, `until` before it. */
  | { kind: 'since' | 'until'; value: string; at: string }
  /** Archived runs are left out unless one of these asks for them. */
  | { kind: 'is'; value: IsValue }
);
export const isValues = ['archived', 'any'] as const;
export type IsValue = (typeof isValues)[number];

/** A term that says nothing that can be looked for. */
export interface FilterProblem {
  /** As it was written. */
  text: string;
  message: string;
  hint: string | null;
}

export interface RunFilter {
  terms: FilterTerm[];
  problems: FilterProblem[];
}

const otherKeys = ['since', 'until', 'is'] as const;
const allKeys: readonly string[] = [...facetKeys, ...otherKeys];

/** The store puts them into one statement. */
const mostTerms = 200;

/** `-`, a key with its colon, then a quoted text (to the end where it is not closed) or all up to a space. */
const termPattern = /(-?)(?:([A-Za-z]+):)?(?:"((?:[^"\\]|\\.?)*)(?:"|$)|(\S+)|(?<=:)(?=\s|$))/gsu;

/**
 * Reads a filter. Never throws: what cannot be read is among the problems, and the other terms hold.
 * @param now what `7d` counts back from
 */
export function parseRunFilter(text: string, now: Date): RunFilter {
  const filter: RunFilter = { terms: [], problems: [] };
  for (const [written, minus = '', key, quoted, bare] of text.matchAll(termPattern)) {
    if (filter.terms.length === mostTerms) {
      filter.problems.push({ text: written, message: `A filter has at most ${mostTerms} terms`, hint: null });
      break;
    }
    const not = minus === '-';
    const value = quoted === undefined ? (bare ?? '') : unescaped(quoted);
    if (key === undefined) {
      if (value !== '') filter.terms.push({ kind: 'text', value, not });
      continue;
    }
    const read = readKeyed(key.toLowerCase(), value, now);
    if ('message' in read) filter.problems.push({ text: written, ...read });
    else filter.terms.push({ ...read, not });
  }
  return filter;
}

type Keyed = FilterTerm extends infer T ? (T extends FilterTerm ? Omit<T, 'not'> : never) : never;
type Unread = Omit<FilterProblem, 'text'>;

function readKeyed(key: string, value: string, now: Date): Keyed | Unread {
  const facet = facetKeys.find((known) => known === key);
  if (facet === undefined && !allKeys.includes(key)) {
    const meant = nearest(key, allKeys);
    return {
      message: `A filter has no key ${key}`,
      hint:
        meant === null
          ? `Keys are ${allKeys.join(', ')}. A text with a colon goes in quotes.`
          : `${meant}: was probably meant. A text with a colon goes in quotes.`,
    };
  }
  if (value === '') return { message: `${key}: needs a value`, hint: aboutKey(key) };
  if (facet !== undefined) return unknownWord(facet, value) ?? { kind: 'facet', key: facet, value };
  if (key === 'is') {
    const is = isValues.find((known) => known === value.toLowerCase());
    if (is !== undefined) return { kind: 'is', value: is };
    return { message: `is: knows ${isValues.join(' and ')}, not ${value}`, hint: null };
  }
  const kind = key === 'since' ? 'since' : 'until';
  const at = momentOf(value, kind, now);
  if (at !== null) return { kind, value, at: at.toISOString() };
  return {
    message: `${value} is no date`,
    hint: 'Write 2026-11-01, 2026-11-01T18:30 (UTC), or how long ago: 12h, 7d, 4w.',
  };
}

/** Of keys with a closed set of values: what is wrong with another one. */
function unknownWord(key: FacetKey, value: string): Unread | null {
  const known: Partial<Record<FacetKey, readonly string[]>> = { verdict: verdictCodes, status: runStatuses };
  const words = known[key];
  if (words === undefined || words.includes(value.toLowerCase())) return null;
  const meant = nearest(value, words);
  return {
    message: `There is no ${key} ${value}`,
    hint: meant === null ? `There are ${words.join(', ')}.` : `${key}:${meant} was probably meant.`,
  };
}

/** What a key is for, in a line. */
export function aboutKey(key: string): string | null {
  const facet = facetKeys.find((known) => known === key);
  if (facet !== undefined) return `${facet}: takes ${facetMeanings[facet].about}.`;
  if (key === 'since' || key === 'until') return `${key}: takes a date, or how long ago: 7d.`;
  return key === 'is' ? `is: takes ${isValues.join(' or ')}.` : null;
}

const hourMs = 3_600_000;
const agoMs: Record<string, number> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };

/** The moment of a date or of an age. A day that is the end is meant with all its hours. Dates are UTC. */
function momentOf(value: string, kind: 'since' | 'until', now: Date): Date | null {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(value.toLowerCase()) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (agoMs[unit] ?? 0));
  const [, day, time = ':'] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/i.exec(value) ?? [];
  if (day === undefined) return null;
  const whole = time === ':';
  const at = new Date(`${day}T${whole ? '00:00' : time}:00Z`);
  // 2026-02-30 would silently be the 2nd of March.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day)) return null;
  return whole && kind === 'until' ? new Date(at.getTime() + 24 * hourMs) : at;
}

/** The text that reads as these terms: what buttons put into the field. */
export function formatRunFilter(terms: readonly FilterTerm[]): string {
  return terms.map(formatTerm).join(' ');
}

function formatTerm(term: FilterTerm): string {
  const minus = term.not ? '-' : '';
  if (term.kind === 'text')
    return minus + (/^[^\s":\\-][^\s":\\]*$/u.test(term.value) ? term.value : quoted(term.value));
  const key = term.kind === 'facet' ? term.key : term.kind;
  return `${minus}${key}:${/^[^\s"\\]+$/u.test(term.value) ? term.value : quoted(term.value)}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function unescaped(text: string): string {
  return text.replace(/\\(.?)/gs, '$1');
}

/** Whether two terms ask for the same, however they were written. */
export function sameTerm(a: FilterTerm, b: FilterTerm): boolean {
  return formatTerm(a) === formatTerm(b);
}
