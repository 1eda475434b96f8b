import { type AppError, type ErrorCode, toAppError } from '../../src-shared/errors.ts';
import type { MachineCheck } from '../../src-shared/model/host.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { DataPlace } from '../../src-shared/model/run.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target } from '../../src-shared/model/target.ts';
import type { Session } from '../databases/driver.ts';
import { findDriver } from '../databases/registry.ts';
import { gate, passGate } from '../hosts/checks/index.ts';
import { quietHost } from '../provision/quietHost.ts';
import type { QuietHost, RunHealth } from '../runs/runner.ts';
import type { PhaseSpec } from '../workloads/workload.ts';
import type { AppContext } from './context.ts';
import { placeOfTarget } from './dataPlace.ts';
import { expectedBytes } from './expectedSize.ts';
import type { HostDirectory } from './hostDirectory.ts';
import type { TargetDirectory } from './targetDirectory.ts';

interface Wanted {
  plan: Plan;
  target: Target;
  phases: readonly PhaseSpec[];
  /** Why a run may begin whatever the gate says. */
  override: string | null;
}

/** What only the user can give: asked for, not overridden unseen. */
const asksUser: readonly ErrorCode[] = ['password-needed', 'wrong-password', 'cancelled'];

/**
 * The host behind a target, as a run uses it: its gate, its quiet, the disk to watch. null where the target has none; a
 * host that was removed since is no reason not to run.
 */
export function runHealth(
  context: AppContext,
  targets: TargetDirectory,
  hosts: HostDirectory,
  { plan, target, phases, override }: Wanted,
): RunHealth | null {
  const { store, publish, now } = context;
  const host = target.hostId === null ? null : store.hosts.get(target.hostId);
  if (host === null) return null;
  const { id, name } = host;

  /** The server is asked once what it is; what it says now counts more than what it said last. */
  let asked: Promise<{ server: ServerDescription | null; place: DataPlace | null }> | null = null;
  function known(signal: AbortSignal) {
    asked ??= atServer(targets, target, signal, target.lastSeen, (session) => session.describe(signal)).then(
      (server) => ({ server, place: placeOfTarget(store, id, target, server) }),
    );
    return asked;
  }

  /** A host that cannot be asked is a line that has not passed. */
  async function ask(each: AbortSignal): Promise<MachineCheck[]> {
    let checks: MachineCheck[];
    try {
      const { server, place } = await known(each);
      const expected = {
        dataBytes: await expectedBytes(phases, each),
        walBytes: server?.mostWalBytes ?? 0,
        ...(place && { folder: place.folder }),
      };
      const remote = await hosts.connect(id, each);
      try {
        // Asked before there is a run: what it needs to make the host quiet.
        if (plan.quietHost) await remote.run(['true'], { root: true, signal: each });
        const lines = await atServer(
          targets,
          target,
          each,
          [],
          async (session) => session.readiness?.(each) ?? [],
        );
        checks = [...(await gate(remote, each, expected)), ...lines];
      } finally {
        await remote.close();
      }
    } catch (thrown) {
      const error = toAppError(thrown);
      const mayPass = override !== null && error.code !== 'cancelled';
      if (asksUser.includes(error.code) && !mayPass) throw error;
      checks = [unreachable(error)];
    }
    store.hosts.checked(id, 'gate', { at: now().toISOString(), checks });
    publish('lists.changed', { what: 'hosts' });
    return checks;
  }

  return {
    hostName: name,
    open: (each) => hosts.connect(id, each),
    place: async (each) => (await known(each)).place,
    async gate(each, doing) {
      const passed = await passGate(
        {
          hostName: name,
          ask,
          override,
          onAnswer(checks, waitedMs) {
            publish('run.gate', { targetId: target.id, hostName: name, checks, waitedMs });
            const waiting = checks.filter(({ result }) => result === 'wait').map(({ title }) => title);
            if (waiting.length > 0) doing(`Waiting until ${name} is ready: ${waiting.join(', ')}`);
          },
        },
        each,
      );
      return { at: now().toISOString(), ...passed };
    },
    quiet: plan.quietHost ? (each) => quietFor(hosts, id, each) : undefined,
  };
}

function unreachable({ message, detail, hint, code }: AppError): MachineCheck {
  return {
    id: 'host',
    title: 'Host',
    result: 'fail',
    detail: message,
    advice: hint ?? '',
    value: null,
    unit: null,
    raw: detail ?? '',
    code,
  };
}

/** What the server answers; `otherwise` where it does not. Why it does not, the run itself tells. */
async function atServer<T>(
  targets: TargetDirectory,
  target: Target,
  signal: AbortSignal,
  otherwise: T,
  ask: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    const endpoint = await targets.dial(target, signal);
    const session = await findDriver(target.engine).openSession(endpoint, signal);
    try {
      return await ask(session);
    } finally {
      await session.close();
    }
  } catch {
    return otherwise;
  }
}

/** Over a connection of its own, for as long as it is kept quiet. */
async function quietFor(hosts: HostDirectory, hostId: string, signal: AbortSignal): Promise<QuietHost> {
  const remote = await hosts.connect(hostId, signal);
  try {
    const quiet = await quietHost(remote, signal);
    return {
      stopped: quiet.stopped,
      async restore() {
        try {
          await quiet.restore();
        } finally {
          await remote.close();
        }
      },
    };
  } catch (error) {
    await remote.close();
    throw error;
  }
}
