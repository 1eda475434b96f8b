import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { count, toggle } from '../../fields.ts';
import { builtinScripts } from '../builtin.ts';
import { flag } from '../flag.ts';
import { dbName } from '../init/options.ts';
import { logOptions } from './logOptions.ts';
import { mostScripts, scriptSchema } from './scripts.ts';

const load = (meta: FieldMeta): FieldMeta => ({ group: 'Load', ...meta });
const rules = (meta: FieldMeta): FieldMeta => ({ group: 'Rules', advanced: true, ...meta });
const report = (meta: FieldMeta): FieldMeta => ({ group: 'Report', ...meta });

const longest = 31_536_000;

const whatRuns = {
  scripts: z
    .array(scriptSchema)
    .min(1, 'Choose at least one script')
    .max(mostScripts, `At most ${mostScripts} scripts`)
    .default([{ builtin: 'tpcb-like', weight: 1 }])
    .meta(
      flag(
        '-b, -S, -N, -f',
        load({
          title: 'Scripts',
          description:
            'One run of a script is one transaction. Of several, one is drawn before each transaction, by weight; weight 0 is never drawn.',
          kind: 'scripts',
          optionLabels: Object.fromEntries(
            builtinScripts.map(({ name, help }) => [name, `${name}: ${help}`]),
          ),
        }),
      ),
    ),
  dbName: dbName.optional().meta(
    flag(
      '-d or the last word',
      load({
        title: 'Database',
        description: 'Left out: that of the step before which made the tables, else pgbench.',
      }),
    ),
  ),
  clients: count(
    1,
    10_000,
    1,
    flag(
      '-c',
      load({ title: 'Clients', description: 'Sessions at the same time, each with its own connection.' }),
    ),
  ),
  jobs: count(
    1,
    1_000,
    1,
    flag(
      '-j',
      load({ title: 'Threads', description: 'That the clients are dealt to; not more than clients.' }),
    ),
  ),
  seconds: z
    .int()
    .min(1)
    .max(longest)
    .optional()
    .meta(
      flag(
        '-T',
        load({
          title: 'Time',
          description:
            'No transaction begins after so long. The pgbench manual asks for minutes at least. With neither this nor a number of transactions each client runs ten.',
          unit: 's',
        }),
      ),
    ),
  transactions: z
    .int()
    .min(1)
    .optional()
    .meta(flag('-t', load({ title: 'Transactions a client', description: 'Instead of a time.' }))),
  protocol: z
    .enum(['simple', 'extended', 'prepared'])
    .default('simple')
    .meta(
      flag(
        '-M',
        load({
          title: 'Protocol',
          description: 'How statements go to the server; results of different ones cannot be compared.',
          optionLabels: {
            simple: 'Simple: as text, values in it',
            extended: 'Extended: parsed each time, values as parameters',
            prepared: 'Prepared: parsed once a connection',
          },
        }),
      ),
    ),
  rate: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta(
      flag(
        '-R',
        load({
          title: 'Rate',
          description:
            'Transactions a second over all clients that arrive by chance (Poisson), whether or not a client is free; latency counts from the arrival. 0: each client begins its next one at once.',
          unit: 'tps',
        }),
      ),
    ),
  latencyLimit: z
    .number()
    .min(0)
    .max(86_400_000)
    .default(0)
    .meta(
      flag(
        '-L',
        load({
          title: 'Latency limit',
          description:
            'Transactions that take longer count as late. With a rate, one whose turn is past by more is skipped. 0: no limit.',
          unit: 'ms',
        }),
      ),
    ),
};

const howItRuns = {
  noVacuum: toggle(
    false,
    flag(
      '-n',
      rules({
        title: 'No vacuum before',
        description:
          'Off: branches and tellers are vacuumed first and pgbench_history is emptied, as pgbench does.',
      }),
    ),
  ),
  vacuumAll: toggle(
    false,
    flag('-v', rules({ title: 'Vacuum accounts too', description: 'And analyse them, before the run.' })),
  ),
  connect: toggle(
    false,
    flag('-C', rules({ title: 'Connect each time', description: 'A new connection for each transaction.' })),
  ),
  maxTries: count(
    0,
    2_147_483_647,
    1,
    flag(
      '--max-tries',
      rules({
        title: 'Tries',
        description:
          'Of a transaction that ends in a serialization failure or a deadlock; after the last one it counts as failed. 0: as many as time or latency limit permit.',
      }),
    ),
  ),
  continueOnError: toggle(
    false,
    flag(
      '--continue-on-error',
      rules({
        title: 'Go on after errors',
        description:
          'A transaction that any other error of SQL ends is rolled back and counts as failed. Off: its client ends.',
      }),
    ),
  ),
  exitOnAbort: toggle(
    false,
    flag(
      '--exit-on-abort',
      rules({
        title: 'End with the first client',
        description: 'Any other error ends the client that met it. On: it ends the run.',
      }),
    ),
  ),
  scale: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .meta(
      flag(
        '-s',
        rules({
          title: 'Scale',
          description:
            ':scale of your own scripts; with built-in ones the branches in the table are counted instead.',
        }),
      ),
    ),
  define: z
    .string()
    .default('')
    .meta(
      flag(
        '-D',
        rules({
          title: 'Variables',
          description: 'For scripts, name=value with blanks between; quotes as in a shell.',
        }),
      ),
    ),
  randomSeed: z
    .int()
    .min(0)
    .default(0)
    .meta(
      flag(
        '--random-seed',
        rules({
          title: 'Seed',
          description:
            'The same seed draws the same numbers for ever, to the bit those of pgbench 15 for one client. 0 takes a seed from the clock, and the run says which.',
        }),
      ),
    ),
  warmup: count(
    0,
    86_400,
    0,
    rules({
      title: 'Warm-up',
      description: 'So long the load is on before anything is counted. pgbench has none.',
      unit: 's',
    }),
  ),
};

const whatIsTold = {
  progress: count(
    0,
    longest,
    0,
    flag(
      '-P',
      report({
        title: 'Progress',
        description: 'A line every so many seconds in the text of the run; 0: none.',
        unit: 's',
      }),
    ),
  ),
  reportPerCommand: toggle(
    false,
    flag(
      '-r',
      report({
        title: 'Latency of each command',
        description: 'Mean time, failures and retries. Measuring costs a little.',
      }),
    ),
  ),
  failuresDetailed: toggle(
    false,
    flag(
      '--failures-detailed',
      report({
        title: 'Failures by kind',
        description: 'In the text: serialization failures and deadlocks apart.',
        advanced: true,
      }),
    ),
  ),
  progressTimestamp: toggle(
    false,
    flag(
      '--progress-timestamp',
      report({
        title: 'Clock in progress lines',
        description: 'Unix time instead of time since the start.',
        advanced: true,
      }),
    ),
  ),
};

/** Options of `pgbench.run`, in camelCase with pgbench's defaults. */
export const runOptions = { ...whatRuns, ...whatIsTold, ...logOptions, ...howItRuns };
/** As it is once a step has taken what it leaves out from the step before. */
export const runSchema = z.object({ ...runOptions, dbName });
export type RunOptions = z.output<typeof runSchema>;
