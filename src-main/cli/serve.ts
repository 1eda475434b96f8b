import { openInBrowser } from '../serve/openInBrowser.ts';
import { startServe } from '../serve/startServe.ts';
import { type Cli, exitCodes, withApp } from './cli.ts';
import { withInterrupts } from './interrupts.ts';

/** Serves the workbench to a browser on this machine until it is interrupted. */
export function serve(cli: Cli, { port, open }: { port: number; open: boolean }): Promise<number> {
  return withApp(cli, async (app) => {
    const serving = await startServe({ app, port });
    cli.terminal.out(serving.url);
    cli.terminal.err(
      'Open this address in a browser on this machine. Whoever has it is let in. Ctrl-C ends it.',
    );
    if (open) await openInBrowser(serving.urlOnce());
    await withInterrupts(cli, (_, onStop) => new Promise<void>(onStop));
    cli.terminal.err('Ending; a run that is on is stopped and kept.');
    await serving.close();
    return exitCodes.ok;
  });
}
