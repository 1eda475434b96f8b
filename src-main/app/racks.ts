import { randomUUID } from 'node:crypto';
import type { CommandParsed } from '../../src-shared/contract/commands.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { RackMember, RackResult, RackRun } from '../../src-shared/model/rack.ts';
import type { RunStatus } from '../../src-shared/model/run.ts';
import { type RackHost, rackFindings } from '../../src-shared/stats/rack.ts';
import { type RunWithHealth, rackFigures } from '../../src-shared/stats/rackFigures.ts';
import type { AppContext, HandlersOf } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';
import { runRequests } from './runRequests.ts';
import type { TargetDirectory } from './targetDirectory.ts';

export function rackHandlers(
  context: AppContext,
  directory: TargetDirectory,
  hosts: HostDirectory,
): HandlersOf<'racks'> {
  const { store, runner, publish, now, log } = context;
  const requests = runRequests(context, directory, hosts);

  function get(id: string): RackRun {
    const run = store.racks.get(id);
    if (run) return run;
    throw notFound(`There is no benchmark of a rack with the id ${JSON.stringify(id)}`);
  }

  function change(id: string, patch: (run: RackRun) => RackRun): RackRun {
    const changed = store.racks.change(id, patch);
    if (changed === null) throw notFound('That benchmark of a rack is gone');
    publish('rack.changed', changed);
    return changed;
  }

  const changeMember = (id: string, index: number, patch: (member: RackMember) => RackMember) =>
    change(id, (run) => ({ ...run, members: run.members.map((m, i) => (i === index ? patch(m) : m)) }));

  async function start(input: CommandParsed<'racks.start'>): Promise<RackRun> {
    const { rack, atOnce, members } = input;
    const chosen = await Promise.all(members.map((member) => memberOf(rack, member)));
    refuseTwice(chosen.map(({ host }) => host.name));
    const made = await Promise.all(
      chosen.map(({ target }) => requests.make(input.plan, target.id, input.overrideGate)),
    );
    const id = randomUUID();
    const run: RackRun = {
      id,
      rack,
      // As it is stored with the runs, without a password.
      plan: made[0]?.plan ?? input.plan,
      atOnce,
      startedAt: now().toISOString(),
      endedAt: null,
      members: chosen.map(({ host, target }) => ({
        hostId: host.id,
        hostName: host.name,
        targetName: target.name,
        runIds: [],
        error: null,
        leftOut: null,
      })),
    };
    let recorded = false;
    runner.startGroup({
      group: id,
      requests: made,
      atOnce,
      onBegin(index, head) {
        // Only once the runner has taken it: what is refused leaves nothing behind.
        if (!recorded) store.racks.save(run);
        recorded = true;
        changeMember(id, index, (member) => ({ ...member, runIds: [...member.runIds, head.id] }));
        const target = chosen[index]?.target;
        if (target) requests.follow(head, target.id);
      },
      onRefused(index, error) {
        if (!recorded) store.racks.save(run);
        recorded = true;
        changeMember(id, index, (member) => ({ ...member, error: error.toData() }));
      },
      onEnd() {
        try {
          change(id, (ended) => ({ ...ended, endedAt: now().toISOString() }));
        } catch (error) {
          log.error('The end of the benchmark of a rack could not be stored', { error });
        }
      },
    });
    return get(id);
  }

  async function memberOf(rack: string, { hostId, targetId }: { hostId: string; targetId: string }) {
    const host = await hosts.get(hostId);
    const target = await directory.get(targetId);
    if (host.group !== rack) {
      throw new AppError({
        code: 'bad-input',
        message: `${host.name} is no host of the rack ${rack}`,
        hint: 'Give it that rack where its sign-in is changed, or leave it out.',
      });
    }
    if (target.hostId !== hostId) {
      throw new AppError({
        code: 'bad-input',
        message: `The target ${target.name} is not on ${host.name}`,
        hint: 'Choose a target that was set up there, or say in its form which host it is on.',
      });
    }
    return { host, target };
  }

  function result(id: string): RackResult {
    const run = get(id);
    const measured = new Map(store.hosts.list().map((host) => [host.id, host.measured]));
    const listed = run.members.map((member): RackHost => {
      const { hostId, hostName, leftOut } = member;
      const runs = member.runIds.flatMap((runId) => {
        const found = store.runs.get(runId);
        return found === null ? [] : [found];
      });
      const finished = runs.filter(({ status }) => status === 'finished');
      const whole = finished.length > 0 && finished.length === member.runIds.length;
      const withHealth = finished.map(
        (each): RunWithHealth => ({ run: each, health: store.runs.health(each.id) }),
      );
      return {
        hostId,
        hostName,
        figures: whole ? rackFigures(withHealth, measured.get(hostId) ?? null) : null,
        leftOut: leftOut?.reason ?? null,
        missing: missing(member, runs.at(-1)?.status ?? null, run.endedAt !== null),
      };
    });
    return { run, ...rackFindings(listed) };
  }

  return {
    'racks.start': start,
    async 'racks.stop'({ id }) {
      const run = get(id);
      await runner.stopGroup(id);
      const after = get(id);
      if (run.endedAt === null && after.endedAt === null) {
        throw new AppError({
          code: 'run-active',
          message: 'This benchmark is executed by another Benchberry process, and only that one can stop it',
          hint: 'Stop it where it was started, or end that process.',
        });
      }
      return after;
    },
    'racks.list': async ({ rack }) => store.racks.list(rack),
    'racks.get': async ({ id }) => get(id),
    'racks.result': async ({ id }) => result(id),
    async 'racks.leaveOut'({ id, hostId, reason }) {
      const index = get(id).members.findIndex((member) => member.hostId === hostId);
      if (index < 0) throw notFound('That host is not part of this benchmark');
      const leftOut = reason === null ? null : { reason, at: now().toISOString() };
      return changeMember(id, index, (member) => ({ ...member, leftOut }));
    },
  };
}

/** Why a host has no figures, in a few words. */
function missing({ error, runIds }: RackMember, last: RunStatus | null, ended: boolean): string {
  if (error !== null) return 'could not be started';
  if (runIds.length === 0) return ended ? 'not run' : 'waits for its turn';
  if (last === null) return 'its run was deleted';
  const words: Record<RunStatus, string> = {
    preparing: 'running',
    running: 'running',
    finished: 'one of its runs has no end',
    failed: 'failed',
    cancelled: 'stopped',
    interrupted: 'interrupted',
  };
  return words[last];
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  throw new AppError({
    code: 'bad-input',
    message: `${twice} is chosen twice`,
    hint: 'Choose one target for each host.',
  });
}

function notFound(message: string): AppError {
  return new AppError({ code: 'not-found', message, hint: 'It may have been deleted.' });
}
