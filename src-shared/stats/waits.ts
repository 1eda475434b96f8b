import { entryOf } from '../entryOf.ts';
import type { ServerSample } from '../model/telemetry.ts';
import { formatCounted } from '../units.ts';

/** What a server's sessions can be found at, coarse enough to be drawn over each other. */
export const waitClasses = ['cpu', 'locks', 'wal', 'files', 'internal', 'client'] as const;
export type WaitClass = (typeof waitClasses)[number];

export const waitClassLabels: Record<WaitClass, string> = {
  cpu: 'at work',
  locks: 'locks',
  wal: 'writing the log',
  files: 'data files',
  internal: "the server's own order",
  client: 'the client',
};

/** Events by their names in lower case: PostgreSQL 17 changed the capitals of many. */
const words: Readonly<Record<string, string>> = {
  cpu: 'nothing: they are at work, or wait for a processor',
  'lock:transactionid': 'a row that another transaction has changed and not committed yet',
  'lock:tuple': 'their turn at a row that others wait for too',
  'lock:relation': 'a table that another session has locked',
  'lock:extend': 'their turn to make a table longer',
  'lwlock:lockmanager': 'the lock manager, the shared list of all locks',
  'lwlock:lock_manager': 'the lock manager, the shared list of all locks',
  'lwlock:walwrite': 'another session that is writing the log (WAL) for them',
  'lwlock:walwritelock': 'another session that is writing the log (WAL) for them',
  'lwlock:walinsert': 'room to put changes into the log (WAL)',
  'lwlock:wal_insert': 'room to put changes into the log (WAL)',
  'io:walsync': 'the log (WAL) to be safe on the disk, at a commit',
  'io:walwrite': 'the log (WAL) to be written',
  'io:walinitsync': 'a new log file (WAL) to be made',
  'io:walinitwrite': 'a new log file (WAL) to be made',
  'io:datafileread': 'a page to be read from a data file',
  'io:datafilewrite': 'a page to be written to a data file',
  'io:datafileextend': 'a data file to grow',
  'io:datafileflush': 'pages to be handed to the disk',
  'io:datafilesync': 'a data file to be safe on the disk',
  'io:buffileread': 'a temporary file to be read',
  'io:buffilewrite': 'a temporary file to be written',
  'io:copyfileread': 'a file to be read by COPY',
  'client:clientread': 'the client: its next command, or more rows',
  'client:clientwrite': 'the client to take what was sent to it',
  'lwlock:buffercontent': 'a page in the cache that another session is at',
  'lwlock:buffer_content': 'a page in the cache that another session is at',
  'lwlock:buffermapping': 'the list of the pages in the cache',
  'lwlock:buffer_mapping': 'the list of the pages in the cache',
  'lwlock:procarray': 'the list of the running transactions',
  'lwlock:procarraylock': 'the list of the running transactions',
  'ipc:procarraygroupupdate': 'the list of the running transactions',
  'lwlock:xactslru': 'the list of what was committed',
  'ipc:checkpointstart': 'a checkpoint that they asked for',
  'ipc:checkpointdone': 'a checkpoint that they asked for',
  'ipc:bufferio': 'a page that another session is reading',
  'ipc:executegather': 'rows from parallel workers',
  'ipc:messagequeuesend': 'another process of the same query',
  'ipc:messagequeuereceive': 'another process of the same query',
  'timeout:pgsleep': 'a sleep that was asked for',
  'timeout:spindelay': 'a short lock that many want',
  'timeout:vacuumdelay': 'the pause that vacuum makes to spare the disk',
};

/** What sessions in this event wait for, in plain words; the server's own name where there are none. */
export function waitWords(event: string): string {
  return entryOf(words, event.toLowerCase()) ?? event;
}

export function waitClass(event: string): WaitClass {
  const name = event.toLowerCase();
  if (name === 'cpu') return 'cpu';
  if (name.startsWith('client:')) return 'client';
  if (name.startsWith('lock:') || /^lwlock.*:lock_?manager$/.test(name)) return 'locks';
  if (/^(io|lwlock.*):wal/.test(name)) return 'wal';
  return name.startsWith('io:') ? 'files' : 'internal';
}

export interface Wait {
  event: string;
  /** Of all sessions found within a transaction, 0 to 1. */
  share: number;
  /** Standard error of the share: √(p(1−p)/n), n sessions found. A guide: sessions of one look are not independent. */
  error: number;
  /** Sessions that were in it at any moment, on average. */
  sessions: number;
}

export interface WaitProfile {
  /** How often was looked. */
  samples: number;
  /** Sessions within a transaction at any moment, on average. */
  active: number;
  /** Sessions without one, on average: the client had nothing for them. */
  idle: number;
  /** The most frequent first. */
  waits: Wait[];
}

/**
 * What sessions were found at, from samples, as Oracle's Active Session History and pg_wait_sampling do it: an event that
 * lasts longer is found more often, in proportion, so that its share of the findings is its share of the time.
 */
export function waitProfile(samples: readonly Pick<ServerSample, 'waits'>[]): WaitProfile {
  const counts = new Map<string, number>();
  let looks = 0;
  let idle = 0;
  let all = 0;
  for (const { waits } of samples) {
    looks += waits.samples;
    idle += waits.idle;
    for (const [event, n] of Object.entries(waits.events)) {
      counts.set(event, (counts.get(event) ?? 0) + n);
      all += n;
    }
  }
  const mean = (n: number) => (looks > 0 ? n / looks : 0);
  return {
    samples: looks,
    active: mean(all),
    idle: mean(idle),
    waits: [...counts]
      .map(([event, n]) => ({
        event,
        share: n / all,
        error: Math.sqrt(((n / all) * (1 - n / all)) / all),
        sessions: mean(n),
      }))
      .sort((a, b) => b.share - a.share || (a.event < b.event ? -1 : 1)),
  };
}

/** With fewer the standard error of a share can be a tenth. */
const enoughFindings = 25;

/** Why the shares of a profile say little, for people; null where they do say something. */
export function waitDoubt({ samples, active }: WaitProfile): string | null {
  const findings = Math.round(samples * active);
  if (findings >= enoughFindings) return null;
  return `Made of ${formatCounted(findings, 'finding')} only: the sessions were hardly ever within a transaction, so the shares say little.`;
}

/** Sessions in each class at any moment of a sample, on average. */
export function classSessions({ waits }: Pick<ServerSample, 'waits'>): Record<WaitClass, number> {
  const sums: Record<WaitClass, number> = { cpu: 0, locks: 0, wal: 0, files: 0, internal: 0, client: 0 };
  if (waits.samples === 0) return sums;
  for (const [event, n] of Object.entries(waits.events)) sums[waitClass(event)] += n / waits.samples;
  return sums;
}
