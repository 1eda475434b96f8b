import { createStore, useStore } from 'zustand';
import {
  type FilterTerm,
  formatRunFilter,
  parseRunFilter,
  sameTerm,
} from '../../../src-shared/filter/runFilter.ts';
import type { FacetKey } from '../../../src-shared/model/facet.ts';

/** What the field holds: leaving the list, to open a run, does not lose it. */
const field = createStore<{ text: string }>(() => ({ text: '' }));

export function useFilterText(): [text: string, setText: (text: string) => void] {
  return [useStore(field, ({ text }) => text), (text) => field.setState({ text })];
}

/** The part of a filter that can be read, as the core takes it. */
export function readableFilter(text: string): string {
  return formatRunFilter(parseRunFilter(text, new Date()).terms);
}

/** The value that the filter asks for under a key, where it asks for exactly one. */
export function askedFor(terms: readonly FilterTerm[], key: FacetKey): string | null {
  const own = terms.filter((term) => term.kind === 'facet' && term.key === key && !term.not);
  return own.length === 1 ? (own[0]?.value ?? null) : null;
}

/** The filter with one term of a kind, in the place of those that were of it; null takes them out. */
export function withTerm(
  text: string,
  replaced: (term: FilterTerm) => boolean,
  term: FilterTerm | null,
): string {
  const { terms } = parseRunFilter(text, new Date());
  const kept = terms.filter((each) => !replaced(each) && (term === null || !sameTerm(each, term)));
  return formatRunFilter(term === null ? kept : [...kept, term]);
}
