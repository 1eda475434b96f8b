import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { Host, MachineCheck } from '../../src-shared/model/host.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { useApi, useCommand } from '../api.tsx';
import { paths } from '../routes.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import { GateDialog } from './GateDialog.tsx';
import { HostSecretDialog } from './HostSecretDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';

/** What is asked of a target before a run. */
export type RunTarget = Pick<Target, 'id' | 'name' | 'builtIn' | 'hasSecret' | 'hostId'>;

export interface StartRun {
  /**
   * Starts the plan and opens the screen of its run, or of its series where it is repeated, has lists or several targets;
   * asks for the passwords that are not kept.
   */
  start: (plan: Plan, ...targets: readonly RunTarget[]) => void;
  /** Goes on with what has no end yet of a series; with `failed` also with what failed. */
  resume: (series: Pick<RunSeries, 'id' | 'targets'>, failed: boolean) => void;
  pending: boolean;
  error: AppError | null;
  /** To be drawn somewhere by whoever uses the hook. */
  dialog: ReactNode;
}

interface Asked {
  /** The first one's gate is asked before there is a run; the others are asked by their runs. */
  targets: readonly RunTarget[];
  overrideGate: string | null;
  /** @returns the address of its screen */
  begin(overrideGate: string | null, signal: AbortSignal): Promise<string>;
}
/** A start that waits for the gate of the target's host, or was refused by it. */
interface AtGate {
  asked: Asked;
  host: Host;
  checks: readonly MachineCheck[] | null;
  startedAt: number | null;
  refused: AppError | null;
}
type Missing =
  | { asked: Asked; kind: 'database'; target: RunTarget }
  | { asked: Asked; kind: 'login' | 'sudo'; host: Host };

/** Starting a benchmark, the same from every screen. With `onError` a refusal goes there and not into `error`. */
export function useStartRun(onError?: (error: AppError) => void): StartRun {
  const api = useApi();
  const [, navigate] = useLocation();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const [missing, setMissing] = useState<Missing | null>(null);
  const [gate, setGate] = useState<AtGate | null>(null);
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function run(asked: Asked): Promise<void> {
    const [first] = asked.targets;
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setPending(true);
    setError(null);
    let host: Host | null = null;
    let testing: RunTarget | undefined = first;
    const off = api.on('run.gate', ({ targetId, checks }) => {
      if (targetId === first?.id && !controller.signal.aborted)
        setGate((old) => (old === null ? null : { ...old, checks }));
    });
    try {
      // Whether a password is missing is found out before there is a run, not by a failed one.
      for (const target of asked.targets) {
        testing = target;
        if (!target.builtIn && !target.hasSecret) {
          await api.call('targets.test', { id: target.id, secret: null }, controller.signal);
        }
      }
      testing = first;
      if (first !== undefined && first.hostId !== null) {
        const hosts = await api.call('hosts.list', null, controller.signal);
        host = hosts.find(({ id }) => id === first.hostId) ?? null;
      }
      const startedAt = Date.now();
      setGate(host && { asked, host, checks: null, startedAt, refused: null });
      const address = await asked.begin(asked.overrideGate, controller.signal);
      setGate(null);
      navigate(address);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      const known = toAppError(thrown);
      const kind = known.secret ?? 'database';
      if (known.code === 'host-not-ready') {
        setGate((old) => old && { ...old, startedAt: null, refused: known });
        return;
      }
      setGate(null);
      const asks = known.code === 'password-needed' || (known.code === 'wrong-password' && host !== null);
      if (asks && (kind === 'login' || kind === 'sudo') && host !== null) setMissing({ asked, kind, host });
      else if (known.code === 'password-needed' && testing !== undefined)
        setMissing({ asked, kind: 'database', target: testing });
      else (onError ?? setError)(known);
    } finally {
      off();
      if (current.current === controller) setPending(false);
    }
  }

  async function beginPlan(
    plan: Plan,
    targets: readonly RunTarget[],
    overrideGate: string | null,
    signal: AbortSignal,
  ): Promise<string> {
    const [target] = targets;
    const several =
      plan.repeat > 1 || targets.length > 1 || (await api.call('plans.validate', { plan }, signal)).cells > 1;
    if (several || target === undefined) {
      const targetIds = targets.map(({ id }) => id);
      return paths.series((await api.call('series.start', { plan, targetIds, overrideGate }, signal)).id);
    }
    return paths.run((await api.call('runs.start', { plan, targetId: target.id, overrideGate }, signal)).id);
  }

  async function resume({ id, targets: names }: Parameters<StartRun['resume']>[0], failed: boolean) {
    try {
      const targets = await Promise.all(names.map((nameOrUrl) => api.call('targets.resolve', { nameOrUrl })));
      await run({
        targets,
        overrideGate: null,
        begin: async (overrideGate, signal) =>
          paths.series((await api.call('series.resume', { id, failed, overrideGate }, signal)).id),
      });
    } catch (thrown) {
      (onError ?? setError)(toAppError(thrown));
    }
  }

  function goOn(asked: Asked): void {
    setMissing(null);
    void run(asked);
  }
  function stop(): void {
    current.current?.abort();
    setGate(null);
    setPending(false);
  }

  return {
    start: (plan, ...targets) =>
      void run({
        targets,
        overrideGate: null,
        begin: (overrideGate, signal) => beginPlan(plan, targets, overrideGate, signal),
      }),
    resume: (series, failed) => void resume(series, failed),
    pending,
    error,
    dialog: (
      <>
        {missing?.kind === 'database' && (
          <PasswordDialog
            target={missing.target}
            onClose={() => setMissing(null)}
            onKept={() =>
              goOn({
                ...missing.asked,
                targets: missing.asked.targets.map((target) =>
                  target.id === missing.target.id ? { ...target, hasSecret: true } : target,
                ),
              })
            }
          />
        )}
        {missing !== null && missing.kind !== 'database' && (
          <HostSecretDialog
            host={missing.host}
            kind={missing.kind}
            onClose={() => setMissing(null)}
            onKept={() => goOn(missing.asked)}
          />
        )}
        {gate !== null && (
          <GateDialog
            hostName={gate.host.name}
            checks={gate.checks}
            startedAt={gate.startedAt}
            refused={gate.refused}
            onCancel={stop}
            onAgain={() => void run(gate.asked)}
            onOverride={(overrideGate) => void run({ ...gate.asked, overrideGate })}
          />
        )}
      </>
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
