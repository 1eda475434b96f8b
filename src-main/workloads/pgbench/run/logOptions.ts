import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { count, toggle } from '../../fields.ts';
import type { Step } from '../../workload.ts';
import { flag } from '../flag.ts';

const defaultLogPrefix = 'pgbench_log';
const longest = 31_536_000;

/** Devices that Windows takes for files of whatever extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether a log file may begin so: a name on any system, never a folder. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_][\w.-]{0,99}$/.test(name) && !device.test(name);
}

const logged = (name: string, meta: FieldMeta): FieldMeta =>
  flag(name, { group: 'Report', advanced: true, ...meta });

/** Options of pgbench's log of single transactions. */
export const logOptions = {
  log: toggle(
    false,
    logged('-l', {
      title: 'Log of transactions',
      description:
        'A file for each thread with a line for each transaction, in a folder of the run inside the data folder; the run’s notes name it.',
    }),
  ),
  logPrefix: z
    .string()
    .default(defaultLogPrefix)
    .refine(isPlainName, 'A plain name of letters, digits, _ - and points, without a folder')
    .meta(
      logged('--log-prefix', {
        title: 'Name of log files',
        description: 'What they begin with; the number of the process, and of the thread, follows.',
      }),
    ),
  samplingRate: z
    .number()
    .gt(0, 'Above 0')
    .max(1, 'Not above 1')
    .default(1)
    .meta(
      logged('--sampling-rate', {
        title: 'Share that is logged',
        description:
          'Each transaction is logged with this probability: counts have to be scaled up, latencies not. 1: all of them.',
      }),
    ),
  aggregateInterval: count(
    0,
    longest,
    0,
    logged('--aggregate-interval', {
      title: 'Log intervals',
      description:
        'One line with counts and sums every so many seconds instead; the last interval, which the end cuts short, has none. 0: a line for each transaction.',
      unit: 's',
    }),
  ),
};

const logSchema = z.object(logOptions);
type LogOptions = z.output<typeof logSchema>;

/** pgbench's own rules for them together. */
export function logProblems(own: LogOptions & { seconds?: number | undefined }): ReturnType<Step['check']> {
  const { log, logPrefix, samplingRate, aggregateInterval, seconds } = own;
  const found: ReturnType<Step['check']> = [];
  const add = (path: string, message: string, hint: string | null = null) =>
    found.push({ path, message, hint });
  const on = 'Set log, or leave this out.';
  if (!log && logPrefix !== defaultLogPrefix)
    add('logPrefix', 'A name for log files is allowed only when transactions are logged', on);
  if (!log && samplingRate < 1)
    add('samplingRate', 'Sampling is allowed only when transactions are logged', on);
  if (aggregateInterval === 0) return found;
  if (!log) add('aggregateInterval', 'Aggregation is allowed only when transactions are logged', on);
  if (samplingRate < 1)
    add('samplingRate', 'Sampling and aggregation cannot be used at the same time', 'Leave one of them out.');
  if (seconds === undefined) return found;
  if (aggregateInterval > seconds) add('aggregateInterval', `Not longer than the run: ${seconds} s`);
  else if (seconds % aggregateInterval !== 0)
    add('aggregateInterval', `The time of ${seconds} s has to be a multiple of it`);
  return found;
}
