import type { AppError } from '../../../src-shared/errors.ts';
import type { FormField } from '../../../src-shared/model/form.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import { hostAt } from '../../../src-shared/model/hostAt.ts';
import type { Target, TargetDraft } from '../../../src-shared/model/target.ts';
import { checkField, effective, type Values } from '../../form/values.ts';

/** What the target form holds. `secret: null` keeps the password that is stored, if there is one. */
export interface Draft {
  id: string | null;
  /** Empty: the address is the name. */
  name: string;
  engine: string;
  connection: Values;
  secret: string | null;
  /** The host it runs on; undefined: the one of the same address. */
  hostId: string | null | undefined;
}

export function draftOf(target: Target): Draft {
  const { id, name, engine, connection, hostId } = target;
  return { id, name, engine, connection, secret: null, hostId };
}

/** The name that is saved: the one given, else the first thing that was said about the connection. */
export function nameOf(draft: Draft, fields: readonly FormField[]): string {
  const typed = draft.name.trim();
  if (typed !== '') return typed;
  const first = fields.find((field) => field.kind === 'text');
  const value = first === undefined ? null : effective(first, draft.connection);
  return typeof value === 'string' ? value : '';
}

export function toTargetDraft(
  draft: Draft,
  fields: readonly FormField[],
  hosts: readonly Host[],
): TargetDraft {
  const hostId = hostOf(draft, hosts);
  return { ...draft, name: nameOf(draft, fields), connection: { ...draft.connection }, hostId };
}

/** Id of the host it runs on: the chosen one, else the one of the same address; null for none. */
export function hostOf({ hostId, connection }: Draft, hosts: readonly Host[]): string | null {
  return hostId === undefined ? (hostAt(connection.host, hosts)?.id ?? null) : hostId;
}

/** Field key → what is wrong, as far as the form alone can tell. */
export function checkDraft(draft: Draft, fields: readonly FormField[]): Map<string, string> {
  const problems = new Map<string, string>();
  for (const field of fields) {
    const problem = checkField(field, effective(field, draft.connection));
    if (problem !== null) problems.set(field.key, problem);
  }
  if (nameOf(draft, fields).length > 80) problems.set('name', 'A name has at most 80 characters');
  return problems;
}

/**
 * The field of the form that an error of the core is about; null where it names none. Places are paths such as
 * `connection.host` or `host`; the password is `secret`.
 */
export function fieldOfError(error: AppError, fields: readonly FormField[]): string | null {
  const last = error.place?.field?.split('.').at(-1);
  if (last === 'secret' || last === 'password') return 'secret';
  if (last !== undefined && (last === 'name' || fields.some((field) => field.key === last))) return last;
  return error.code === 'wrong-password' || error.code === 'password-needed' ? 'secret' : null;
}
