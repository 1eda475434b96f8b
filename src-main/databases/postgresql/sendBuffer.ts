/** Room for most statements; it grows. */
const initialBytes = 4096;
const letter = (text: string) => text.charCodeAt(0);
const headerBytes = 5;
const zero = letter('0');

/** One growing buffer that messages are written into, used again for each request: nothing is allocated per statement. */
export class SendBuffer {
  #bytes = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was written since `clear`. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
  /** The memory is used again. */
  clear(): void {
    this.#length = 0;
  }
  /** The memory is left to what was sent of it. */
  renew(): void {
    this.#bytes = Buffer.allocUnsafeSlow(this.#bytes.length);
    this.#length = 0;
  }

  put(bytes: Buffer): void {
    this.#reserve(bytes.length);
    bytes.copy(this.#bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Query, the message of the simple protocol. */
  query(text: string): void {
    this.#reserve(headerBytes + text.length * 3 + 1);
    const start = this.#length;
    this.#bytes[start] = letter('Q');
    this.#length += headerBytes;
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#bytes[this.#length++] = 0;
    this.#bytes.writeInt32BE(this.#length - start - 1, start + 1);
  }

  /**
   * Bind with text values.
   * @param head the message up to the number of parameters; its length is filled in here
   * @param tail what follows the values, then further messages
   * @param tailOfBind how much of the tail is Bind's own
   */
  bind(head: Buffer, values: readonly (string | number | null)[], tail: Buffer, tailOfBind: number): void {
    const start = this.#length;
    this.put(head);
    for (let i = 0; i < values.length; i += 1) this.#value(values[i] ?? null);
    this.#bytes.writeInt32BE(this.#length - start - 1 + tailOfBind, start + 1);
    this.put(tail);
  }

  #value(value: string | number | null): void {
    if (typeof value === 'number') {
      this.#reserve(4 + 24);
      const at = this.#length + 4;
      this.#length = at;
      if (value >= 0 && value <= 0x7fffffff) this.#digits(value);
      else this.#length += this.#bytes.write(String(value), at, 'latin1');
      this.#bytes.writeInt32BE(this.#length - at, at - 4);
    } else if (value === null) {
      this.#reserve(4);
      this.#length = this.#bytes.writeInt32BE(-1, this.#length);
    } else {
      this.#reserve(4 + value.length * 3);
      const at = this.#length + 4;
      const written = this.#bytes.write(value, at, 'utf8');
      this.#bytes.writeInt32BE(written, at - 4);
      this.#length = at + written;
    }
  }

  /** A whole number from 0 to 2³¹ − 1, without a string of it. */
  #digits(value: number): void {
    let length = 1;
    for (let left = value; left >= 10; left = Math.trunc(left / 10)) length += 1;
    let rest = value;
    for (let at = this.#length + length - 1; at >= this.#length; at -= 1) {
      const tenth = Math.trunc(rest / 10);
      this.#bytes[at] = zero + (rest - tenth * 10);
      rest = tenth;
    }
    this.#length += length;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
