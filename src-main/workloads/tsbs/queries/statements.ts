import type { Window } from './draws.ts';
import type { QueryType } from './queryTypes.ts';

/** One query: what its type fixes and what was drawn for it. Without a window or hosts where the type has none. */
export interface DrawnQuery {
  type: QueryType;
  window: Window | null;
  /** Or trucks, where it is about those. */
  hosts: readonly number[];
  /** '' where the type draws none. */
  fleet: string;
}

/** A database's form of the queries. */
export interface QueryForm {
  /** First word of TSBS's labels. */
  readonly product: string;
  /** `high-cpu-1` draws its host before its window, all other types after it. */
  readonly hostsFirst: (type: QueryType) => boolean;
  /** The statement, on one line, complete. */
  text(query: DrawnQuery): string;
}

/** The window of a query whose type has one. */
export function windowOf(query: DrawnQuery): Window {
  if (query.window === null) throw new Error(`${query.type.name} was drawn without a window`);
  return query.window;
}

/** `'host_1', 'host_2'` */
export function hostList(hosts: readonly number[]): string {
  return hosts.map((host) => `'host_${host}'`).join(', ');
}
