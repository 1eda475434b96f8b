import type {
  CommandInput,
  CommandName,
  CommandOutput,
  CommandParsed,
  EventData,
  EventName,
} from './commands.ts';

/** The core as everybody calls it: the renderer over a channel, the CLI and tests directly. */
export interface Api {
  call<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
    signal?: AbortSignal,
  ): Promise<CommandOutput<N>>;
  /** Returns its own un-subscribe. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
}

/** One function per command, input already parsed. `src-main/app` is the only implementation. */
export type Handlers = {
  [N in CommandName]: (input: CommandParsed<N>, signal: AbortSignal) => Promise<CommandOutput<N>>;
};
