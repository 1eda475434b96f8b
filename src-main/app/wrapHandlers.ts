import type { Handlers } from '../../src-shared/contract/api.ts';
import { type CommandName, commands, type EventData } from '../../src-shared/contract/commands.ts';
import { toAppError } from '../../src-shared/errors.ts';
import type { Publish } from './events.ts';
import type { Log } from './log.ts';

/** Commands after which a list is not what it was; nothing else publishes `lists.changed`, but the end of a run. */
const changes: Partial<Record<CommandName, EventData<'lists.changed'>['what']>> = {
  'settings.save': 'settings',
  'targets.save': 'targets',
  'targets.remove': 'targets',
  'targets.restore': 'targets',
  'targets.test': 'targets',
  'targets.setSecret': 'targets',
  'plans.save': 'plans',
  'plans.remove': 'plans',
  'plans.restore': 'plans',
  'plans.check': 'targets',
  'hosts.save': 'hosts',
  'hosts.remove': 'hosts',
  'hosts.restore': 'hosts',
  'hosts.setSecret': 'hosts',
  'hosts.trust': 'hosts',
  'provision.plan': 'hosts',
  'runs.start': 'runs',
  'runs.update': 'runs',
  'runs.remove': 'runs',
  'runs.restore': 'runs',
  'exchange.import': 'runs',
  'runs.tag': 'runs',
  'runs.archive': 'runs',
  'runs.leaveOut': 'runs',
  'baselines.set': 'runs',
  'baselines.clear': 'runs',
  'storage.compact': 'runs',
};

/**
 * What every command has around its work: its time and error in the log (never its input, which may hold secrets), and
 * `lists.changed` after it changed one.
 */
export function wrapHandlers(handlers: Handlers, publish: Publish, log: Log): Handlers {
  const wrapped = Object.keys(commands).map((name) => [
    name,
    wrap(handlers, name as CommandName, publish, log),
  ]);
  // The table of commands has every name of `Handlers`, each with its own function: the same type again.
  return Object.fromEntries(wrapped) as Handlers;
}

function wrap<N extends CommandName>(handlers: Handlers, name: N, publish: Publish, log: Log): Handlers[N] {
  const what = changes[name];
  const handler: (input: never, signal: AbortSignal) => Promise<unknown> = handlers[name];
  async function run(input: never, signal: AbortSignal): Promise<unknown> {
    const start = performance.now();
    const ms = () => Math.round(performance.now() - start);
    try {
      const output = await handler(input, signal);
      if (what) publish('lists.changed', { what });
      log.debug(name, { ms: ms() });
      return output;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'internal') log.error(name, { ms: ms(), error: thrown });
      else if (error.code !== 'cancelled') log.info(name, { ms: ms(), error: error.toData() });
      throw error;
    }
  }
  return run as Handlers[N];
}
