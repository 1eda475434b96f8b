import { PassThrough, type Writable } from 'node:stream';
import type { z } from 'zod';
import { AppError, cancelled, toAppError } from '../../src-shared/errors.ts';
import type { FormField } from '../../src-shared/model/form.ts';
import { problemsOf } from '../workloads/problems.ts';
import {
  dataOf,
  type Generated,
  generateDataSchema,
  generateQueriesSchema,
  queriesOf,
} from '../workloads/tsbs/generate.ts';
import { fromTexts } from './flagTexts.ts';
import { formFields } from './forms.ts';

/** Writes TSBS's own files: what `benchberry generate data|queries` does. */
export interface Generator {
  /** Its options, for help and flags; keys are TSBS's flags in camelCase. */
  fields: readonly FormField[];
  /**
   * Writes everything to `output`, as fast as that takes it; memory stays flat. `output` is left open. Whoever reads may
   * stop early (`… | head`): that ends it without an error.
   * @param options by key; values may be texts, as flags are. Missing ones get TSBS's defaults
   * @returns the seed used, which is another than asked for where that was 0
   * @throws AppError `bad-input` or `unknown-key` naming the option in `place.field`; `cancelled`
   */
  write(options: Record<string, unknown>, output: Writable, signal: AbortSignal): Promise<{ seed: number }>;
}

export const generators: { data: Generator; queries: Generator } = {
  data: generatorOf(generateDataSchema, (options) => dataOf(generateDataSchema.parse(options))),
  queries: generatorOf(generateQueriesSchema, (options) => queriesOf(generateQueriesSchema.parse(options))),
};

function generatorOf(schema: z.ZodObject, open: (options: unknown) => Generated): Generator {
  const fields = formFields(schema);
  return {
    fields,
    async write(options, output, signal) {
      const values = fromTexts(options, fields);
      check(schema, values);
      const { seed, blocks } = open(values);
      try {
        await writeInTurn(blocks, output, signal);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw toAppError(error);
      }
      return { seed };
    },
  };
}

/** Writes one block while the next is made; of a block that is under way nothing is touched. */
async function writeInTurn(blocks: Iterable<Buffer>, output: Writable, signal: AbortSignal): Promise<void> {
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined); // whoever waits for a block hears of it
  const handleAbort = () => ended.reject(cancelled());
  signal.addEventListener('abort', handleAbort);
  if (signal.aborted) handleAbort();
  output.once('error', ended.reject);
  let writing: Promise<void> = Promise.resolve();
  try {
    for (const block of blocks) {
      await Promise.race([writing, ended.promise]);
      // What only passes through is kept by others for longer than the call says.
      writing = written(output, output instanceof PassThrough ? Buffer.from(block) : block);
    }
    await Promise.race([writing, ended.promise]);
  } finally {
    signal.removeEventListener('abort', handleAbort);
  }
}

function written(output: Writable, block: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  output.write(block, (error) => (error ? reject(error) : resolve()));
  promise.catch(() => undefined); // it may be heard of by the stream's own error first
  return promise;
}

/** @throws AppError with the first problem */
function check(schema: z.ZodObject, values: Record<string, unknown>): void {
  const parsed = schema.safeParse(values);
  if (parsed.success) return;
  const [problem] = problemsOf(parsed.error.issues, values, '', schema);
  throw new AppError({
    code: parsed.error.issues[0]?.code === 'unrecognized_keys' ? 'unknown-key' : 'bad-input',
    message: problem?.message ?? 'The options are not usable',
    place: { field: problem?.path },
    hint: problem?.hint ?? undefined,
  });
}
