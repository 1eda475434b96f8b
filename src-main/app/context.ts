import type { Handlers } from '../../src-shared/contract/api.ts';
import type { CommandName } from '../../src-shared/contract/commands.ts';
import type { Runner } from '../runs/runner.ts';
import type { Store } from '../store/repositories.ts';
import type { Publish } from './events.ts';
import type { Log } from './log.ts';
import type { SecretStore } from './secrets.ts';

/** What the handlers share. */
export interface AppContext {
  dataFolder: string;
  store: Store;
  secrets: SecretStore;
  runner: Runner;
  publish: Publish;
  log: Log;
  now(): Date;
}

/** The handlers whose commands begin with `Noun.`; each file of the app gives those of one noun. */
export type HandlersOf<Noun extends string> = Pick<Handlers, Extract<CommandName, `${Noun}.${string}`>>;
