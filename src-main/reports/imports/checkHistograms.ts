import { inflateSync } from 'node:zlib';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { AppError } from '../../../src-shared/errors.ts';
import type { RunFile } from '../../../src-shared/model/runFile.ts';

/** A histogram of all that a run can measure has a twentieth of it. A few KB of text may become gigabytes. */
const mostBytes = 4 << 20;
/** Before what is compressed: which encoding it is, and how long. */
const headBytes = 8;

/**
 * Sees to it that the latencies of runs can be read, since every figure and comparison reads them again.
 * @throws AppError `bad-input` naming the histogram
 */
export function checkHistograms(runs: RunFile['runs']): void {
  for (const [of, { histograms }] of runs.entries())
    for (const [at, { latency, service }] of histograms.entries())
      for (const [name, text] of Object.entries({ latency, service }))
        if (text !== null) check(text, `runs.${of}.histograms.${at}.${name}`);
}

function check(text: string, field: string): void {
  try {
    inflateSync(Buffer.from(text, 'base64').subarray(headBytes), { maxOutputLength: mostBytes });
    decodeFromCompressedBase64(text, 32, false);
  } catch (error) {
    throw new AppError({
      code: 'bad-input',
      message: 'This file of exported runs cannot be read',
      place: { field },
      detail: `This is no histogram: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'It was changed or cut: take the file as it was written.',
    });
  }
}
