import { type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { CommandInput } from '../../../src-shared/contract/commands.ts';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Target } from '../../../src-shared/model/target.ts';
import { useApi } from '../../api.tsx';
import { paths } from '../../routes.ts';
import { SecretsDialog } from './SecretsDialog.tsx';

export interface RackMemberChoice {
  host: Host;
  target: Target;
}

type Start = Omit<CommandInput<'racks.start'>, 'members'> & { members: readonly RackMemberChoice[] };

export interface StartRack {
  /** Starts it and opens its result; asks first for the passwords that nobody has. */
  start: (input: Start) => void;
  pending: boolean;
  error: AppError | null;
  dialog: ReactNode;
}

/** Whose passwords are asked for. */
interface Asked {
  of: 'hosts' | 'targets';
  input: Start;
  list: readonly (Host | Target)[];
}

/** Starting a benchmark of a rack. */
export function useStartRack(): StartRack {
  const api = useApi();
  const [, navigate] = useLocation();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const given = useRef(new Set<string>());

  /** Targets that answer only with a password that nobody has; whatever else is wrong with them is their run's matter. */
  async function lackingTargets(members: readonly RackMemberChoice[]): Promise<Target[]> {
    const unsure = members
      .map(({ target }) => target)
      .filter(({ hasSecret, id }) => !hasSecret && !given.current.has(id));
    const lacking = await Promise.all(
      unsure.map((target) =>
        api.call('targets.test', { id: target.id, secret: null }).then(
          () => [],
          (thrown: unknown) => (toAppError(thrown).code === 'password-needed' ? [target] : []),
        ),
      ),
    );
    return lacking.flat();
  }

  async function run(input: Start): Promise<void> {
    setPending(true);
    setError(null);
    try {
      const hosts = input.members
        .map(({ host }) => host)
        .filter((host) => host.auth.method === 'password' && !host.hasSecret && !given.current.has(host.id));
      if (hosts.length > 0) {
        setAsked({ of: 'hosts', input, list: hosts });
        return;
      }
      const targets = await lackingTargets(input.members);
      if (targets.length > 0) {
        setAsked({ of: 'targets', input, list: targets });
        return;
      }
      const members = input.members.map(({ host, target }) => ({ hostId: host.id, targetId: target.id }));
      const { id } = await api.call('racks.start', { ...input, members });
      navigate(paths.rackRun(id));
    } catch (thrown) {
      setError(toAppError(thrown));
    } finally {
      setPending(false);
    }
  }

  return {
    start: (input) => void run(input),
    pending,
    error,
    dialog: asked !== null && (
      <SecretsDialog
        title={asked.of === 'hosts' ? 'Passwords of the hosts' : 'Passwords of the databases'}
        asked={asked.list.map(({ id, name }) => ({ id, label: `Password for ${name}` }))}
        keep={(id, secret) =>
          asked.of === 'hosts'
            ? api.call('hosts.setSecret', { id, kind: 'login', secret })
            : api.call('targets.setSecret', { id, secret })
        }
        onClose={() => setAsked(null)}
        onKept={() => {
          for (const { id } of asked.list) given.current.add(id);
          setAsked(null);
          void run(asked.input);
        }}
      >
        {asked.of === 'hosts'
          ? 'They are needed to sign in, so that health and readiness of each machine stand beside its figures.'
          : 'No password is kept for these databases. What was begun goes on once they are given.'}
      </SecretsDialog>
    ),
  };
}
