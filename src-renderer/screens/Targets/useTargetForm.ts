import { type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommandInput } from '../../../src-shared/contract/commands.ts';
import type { AppError } from '../../../src-shared/errors.ts';
import type { EngineInfo } from '../../../src-shared/model/engine.ts';
import type { FormField } from '../../../src-shared/model/form.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Target } from '../../../src-shared/model/target.ts';
import { useAction, useApi, useCommand } from '../../api.tsx';
import { toastError } from '../../components/toasts.tsx';
import { type Cancellable, useCancellable } from '../../components/useCancellable.ts';
import { type Json, withValue } from '../../form/values.ts';
import { checkDraft, type Draft, fieldOfError, toTargetDraft } from './draft.ts';

export interface TargetFormState {
  draft: Draft;
  engine: EngineInfo | undefined;
  fields: readonly FormField[];
  /** Field → what is wrong, for fields that were left or that the server complained about. */
  problems: ReadonlyMap<string, string>;
  changed: boolean;
  test: Cancellable<'targets.test'>;
  save: UseMutationResult<Target, AppError, CommandInput<'targets.save'>>;
  setName: (name: string) => void;
  setEngine: (engine: string) => void;
  setField: (key: string, value: Json | undefined) => void;
  setSecret: (secret: string | null) => void;
  hosts: readonly Host[];
  setHost: (hostId: string | null) => void;
  leave: (key: string) => void;
  /** Saves; null where something has to be corrected first or the core refused. */
  submit: () => Promise<Target | null>;
  /** Tests the draft as it stands; false where something has to be corrected first or the server refused. */
  tryOut: () => Promise<boolean>;
}

/** State of the target form: what was typed, what may be said about it by now, the test and the saving. */
export function useTargetForm(initial: Draft, engines: readonly EngineInfo[]): TargetFormState {
  const api = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const test = useCancellable('targets.test');
  const save = useAction('targets.save');
  const hosts = useCommand('hosts.list', null).data ?? [];
  const engine = engines.find((candidate) => candidate.id === draft.engine);
  const fields = engine?.connection ?? [];

  const found = checkDraft(draft, fields);
  const problems = new Map([...found].filter(([key]) => left.has(key)));
  for (const error of [test.error, save.error]) {
    const key = error === null ? null : fieldOfError(error, fields);
    if (error !== null && key !== null && !problems.has(key)) problems.set(key, error.message);
  }

  function change(patch: Partial<Draft>): void {
    setDraft((old) => ({ ...old, ...patch }));
    // What a test or a refusal said is about what was typed before.
    if (!test.pending) test.clear();
    save.reset();
  }

  function showAll(): boolean {
    setLeft(new Set(['name', ...fields.map((field) => field.key)]));
    return found.size === 0;
  }

  async function submit(): Promise<Target | null> {
    if (!showAll()) return null;
    const tested = test.data !== null;
    const saved = await save.mutateAsync(toTargetDraft(draft, fields, hosts)).catch(() => null); // shown from save.error
    if (saved === null) return null;
    await queries.invalidateQueries({ queryKey: ['targets.list'] });
    // What answered to the draft answers to the saved target: the list then shows what it is.
    if (tested) void api.call('targets.test', { id: saved.id, secret: null }).catch(toastError);
    return saved;
  }

  async function tryOut(): Promise<boolean> {
    if (!showAll()) return false;
    return (await test.start({ draft: toTargetDraft(draft, fields, hosts) })) !== null;
  }

  return {
    draft,
    engine,
    fields,
    problems,
    changed: draft !== initial,
    test,
    save,
    setName: (name) => change({ name }),
    setEngine: (id) => change({ engine: id, connection: {} }),
    setField: (key, value) => change({ connection: withValue(draft.connection, key, value) }),
    setSecret: (secret) => change({ secret }),
    hosts,
    setHost: (hostId) => change({ hostId }),
    leave: (key) => setLeft((old) => new Set(old).add(key)),
    submit,
    tryOut,
  };
}
