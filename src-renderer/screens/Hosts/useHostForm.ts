import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import { useAction } from '../../api.tsx';
import { checkDraft, type Draft, type DraftField, fieldOfError, readAddress, toHostDraft } from './draft.ts';

export interface HostForm {
  draft: Draft;
  problems: ReadonlyMap<DraftField, string>;
  error: AppError | null;
  saving: boolean;
  set: (patch: Partial<Draft>) => void;
  leave: (field: DraftField) => void;
  /** Saves; null where something has to be corrected first or the core refused. */
  submit: () => Promise<Host | null>;
}

/** State of the host form: what was typed, and what may be said about it by now. */
export function useHostForm(initial: Draft): HostForm {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<DraftField>>(new Set());
  const save = useAction('hosts.save');

  const found = checkDraft(draft);
  const problems = new Map([...found].filter(([field]) => left.has(field)));
  const about = save.error === null ? null : fieldOfError(save.error);
  if (save.error !== null && about !== null && !problems.has(about)) problems.set(about, save.error.message);

  function set(patch: Partial<Draft>): void {
    setDraft((old) => ({ ...old, ...patch }));
    save.reset();
  }

  function leave(field: DraftField): void {
    setLeft((old) => new Set(old).add(field));
    if (field === 'address') setDraft((old) => ({ ...old, ...readAddress(old.address) }));
  }

  async function submit(): Promise<Host | null> {
    setLeft(new Set(['name', 'address', 'port', 'user', 'keyFile']));
    const read = { ...draft, ...readAddress(draft.address) };
    setDraft(read);
    if (checkDraft(read).size > 0) return null;
    const saved = await save.mutateAsync(toHostDraft(read)).catch(() => null); // shown from save.error
    if (saved !== null) await queries.invalidateQueries({ queryKey: ['hosts.list'] });
    return saved;
  }

  return { draft, problems, error: save.error, saving: save.isPending, set, leave, submit };
}
