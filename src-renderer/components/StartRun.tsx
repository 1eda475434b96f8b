import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { useApi, useCommand } from '../api.tsx';
import { paths } from '../routes.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import { SecretDialog } from './SecretDialog.tsx';

/** What is asked of a target before a run. */
export type RunTarget = Pick<Target, 'id' | 'name' | 'builtIn' | 'hasSecret'>;

export interface StartRun {
  /** Starts the plan on the target and opens its Run screen; asks for the password where none is kept. */
  start: (plan: Plan, target: RunTarget) => void;
  pending: boolean;
  error: AppError | null;
  /** To be drawn somewhere by whoever uses the hook. */
  dialog: ReactNode;
}

interface Asked {
  plan: Plan;
  target: RunTarget;
}

/** Starting a benchmark, the same from every screen. With `onError` a refusal goes there and not into `error`. */
export function useStartRun(onError?: (error: AppError) => void): StartRun {
  const api = useApi();
  const [, navigate] = useLocation();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);

  async function run(plan: Plan, target: RunTarget): Promise<void> {
    setPending(true);
    setError(null);
    try {
      // Whether a password is missing is found out before there is a run, not by a failed one.
      if (!target.builtIn && !target.hasSecret) {
        await api.call('targets.test', { id: target.id, secret: null });
      }
      const head = await api.call('runs.start', { plan, targetId: target.id });
      navigate(paths.run(head.id));
    } catch (thrown) {
      const known = toAppError(thrown);
      if (known.code === 'password-needed') setAsked({ plan, target });
      else (onError ?? setError)(known);
    } finally {
      setPending(false);
    }
  }

  return {
    start: (plan, target) => void run(plan, target),
    pending,
    error,
    dialog: asked !== null && (
      <PasswordDialog
        target={asked.target}
        onClose={() => setAsked(null)}
        onKept={() => {
          setAsked(null);
          void run(asked.plan, { ...asked.target, hasSecret: true });
        }}
      />
    ),
  };
}

/** Asks for a target's password. */
export function PasswordDialog(props: {
  target: Pick<Target, 'id' | 'name'>;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const { target } = props;
  const api = useApi();
  return (
    <SecretDialog
      title={`Password for ${target.name}`}
      label="Password"
      keep={(secret) => api.call('targets.setSecret', { id: target.id, secret })}
      onClose={props.onClose}
      onKept={props.onKept}
    >
      No password is kept for {target.name}. What was begun goes on once it is given.
    </SecretDialog>
  );
}

/** Why a start was refused; where another benchmark is on, the way to it. */
export function StartFailed(props: { error: AppError }): ReactNode {
  const [, navigate] = useLocation();
  const [active] = useCommand('runs.progress', null).data ?? [];
  const busy = props.error.code === 'run-active' && active !== undefined;
  return (
    <ErrorPanel
      error={props.error}
      next={
        busy
          ? { label: 'Watch the running benchmark', onClick: () => navigate(paths.run(active.runId)) }
          : undefined
      }
    />
  );
}
