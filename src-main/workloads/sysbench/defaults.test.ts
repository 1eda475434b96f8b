import { describe, expect, it } from 'vitest';
import { knownOptions } from './commandLineOptions.ts';
import { prepareSchema } from './prepareOptions.ts';
import { runSchema } from './runOptions.ts';
import { noSysbench, sysbenchHelp } from './testing/realSysbench.ts';

/** `--table_size=N Number of rows per table [10000]` */
const option = /^ +--([a-z][a-z_-]*)(?:\[=on\|off\]|=\S+) .*\[([^\]]*)\]$/gm;

/** Older names, which the help shows with a default of 0 whatever it is. */
const aliases = new Set(['tx-rate', 'max-requests', 'max-time', 'num-threads']);

describe.skipIf(noSysbench !== null)(`defaults ${noSysbench ?? ''}`, () => {
  it.each([['--help'], ['oltp_read_write'], ['select_random_points'], ['select_random_ranges']])(
    'are those that sysbench %s names',
    (script) => {
      const help = sysbenchHelp(script === '--help' ? [script] : [script, 'help']);
      const ours: Record<string, unknown> = { ...runSchema.parse({}), ...prepareSchema.parse({}) };
      const compared = [...help.matchAll(option)].flatMap(([, name = '', text = '']) => {
        const known = knownOptions.get(name.replaceAll('_', '-'));
        if (known === undefined || aliases.has(name)) return [];
        const theirs = known.kind === 'flag' ? text === 'on' : known.kind === 'text' ? text : Number(text);
        return [{ name, ours: ours[known.key], theirs }];
      });
      expect(compared.length).toBeGreaterThanOrEqual(15);
      for (const { name, ours, theirs } of compared) expect(ours, name).toBe(theirs);
    },
  );
});
