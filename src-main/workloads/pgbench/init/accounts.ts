import { accountsPerScale } from './tables.ts';

const chunkBytes = 64 * 1024;
/** An id of at most 16 digits, a branch of at most 10, and what is between and behind them. */
const mostBytes = 32;

/**
 * The rows of pgbench_accounts as COPY's text: `aid`, `bid`, 0 and an empty filler. Digits are written into one buffer that
 * is used again for each chunk.
 */
export function* accountChunks(scale: number): Generator<{ bytes: Uint8Array; rows: number }> {
  const total = accountsPerScale * scale;
  const buffer = new Uint8Array(chunkBytes);
  let length = 0;
  let rows = 0;
  const put = (whole: number) => {
    const digits = String(whole);
    for (let i = 0; i < digits.length; i++) buffer[length++] = digits.charCodeAt(i);
  };
  for (let aid = 1; aid <= total; aid++) {
    put(aid);
    buffer[length++] = tab;
    put(Math.ceil(aid / accountsPerScale));
    buffer[length++] = tab;
    buffer[length++] = zero;
    buffer[length++] = tab;
    buffer[length++] = lineFeed;
    rows++;
    if (length + mostBytes <= chunkBytes && aid < total) continue;
    yield { bytes: buffer.subarray(0, length), rows };
    length = 0;
    rows = 0;
  }
}

const tab = 9;
const lineFeed = 10;
const zero = 48;
