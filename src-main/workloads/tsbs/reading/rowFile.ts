import { type AppError, toAppError } from '../../../../src-shared/errors.ts';
import { Catalogue, type CatalogueData } from './catalogue.ts';
import { Flaw } from './flaw.ts';
import { formatOf } from './format.ts';
import { InfluxReader } from './influxReader.ts';
import { type ByteSource, type Compression, openBytes } from './openBytes.ts';
import { newline, type RowReader, spoilt } from './rowReader.ts';
import { TimescaledbReader } from './timescaledbReader.ts';

/** No row of TSBS's is longer by far; what is, is no data file. */
const longestLine = 4 << 20;

/** A data file that is being read: block by block from the disk, row by row out of the block. */
export class RowFile {
  readonly catalogue: Catalogue;
  /** Rows read. */
  rows = 0;
  /** Why they ended before the file; null: they have not, or they have ended with it. */
  flaw: AppError | null = null;
  readonly #file: string;
  readonly #anyOrder: boolean;
  readonly #open: typeof openBytes;
  #bytes: ByteSource | null = null;
  #reader: RowReader | null = null;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  /** After the last newline of the block. */
  #limit = 0;
  /** The next row is not complete in the block. */
  #starved = true;
  #over = false;
  /** Bytes of text before the block. */
  #before = 0;

  /** @param known what the file holds, where it has been looked through */
  constructor(file: string, anyOrder: boolean, known?: CatalogueData, open: typeof openBytes = openBytes) {
    this.#file = file;
    this.#anyOrder = anyOrder;
    this.#open = open;
    this.catalogue = new Catalogue(known);
  }

  /** Of the row that was read last. @throws Error before there is one */
  get reader(): RowReader {
    if (this.#reader === null) throw new Error('no row has been read');
    return this.#reader;
  }
  get compression(): Compression {
    return this.#bytes?.compression ?? 'none';
  }
  /** Bytes of the file, and how many of them have been read. */
  get size(): number {
    return this.#bytes?.size ?? 0;
  }
  get consumed(): number {
    return this.#bytes?.consumed ?? 0;
  }
  /** Bytes of its text before the next row, and those that have been unpacked. */
  get textBytes(): number {
    return this.#before + this.#at;
  }
  get unpackedBytes(): number {
    return this.#before + this.#block.length;
  }
  /** Line of the next row. */
  get line(): number {
    return this.#reader?.line ?? 1;
  }

  /**
   * Sees to it that `next` finds a row. @returns false at the end, or at a flaw
   * @throws AppError where the file cannot be opened
   */
  async more(): Promise<boolean> {
    this.#bytes ??= await this.#open(this.#file);
    while (this.#starved && !this.#over) {
      const block = await this.#nextBlock(this.#bytes);
      try {
        if (block === null) this.#end();
        else this.#take(block);
      } catch (error) {
        this.#fail(error);
      }
    }
    return !this.#over;
  }

  /** Reads the next row. @returns false where `more` has to be asked first */
  next(): boolean {
    if (this.#starved || this.#reader === null) return false;
    try {
      const end = this.#reader.read(this.#block, this.#at, this.#limit);
      if (end < 0) {
        this.#starved = true;
        return false;
      }
      this.#at = end;
      this.rows += 1;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  close(): void {
    this.#bytes?.close();
    this.#over = true;
    this.#starved = true;
  }

  async #nextBlock(bytes: ByteSource): Promise<Buffer | null> {
    try {
      return await bytes.next();
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #take(more: Buffer): void {
    this.#before += this.#at;
    this.#block = Buffer.concat([this.#block.subarray(this.#at), more]);
    this.#at = 0;
    this.#limit = this.#block.lastIndexOf(newline) + 1;
    if (this.#limit === 0 && this.#block.length > longestLine)
      throw new Flaw(this.line, 'the line is longer than any of TSBS’s', spoilt);
    if (this.#limit === 0) return;
    if (this.#reader === null && !this.#begin()) return;
    this.#starved = false;
  }

  #begin(): boolean {
    const make = formatOf(this.#block) === 'timescaledb' ? TimescaledbReader : InfluxReader;
    const reader = new make(this.catalogue, this.#anyOrder);
    const at = reader.begin(this.#block, this.#limit);
    if (at < 0) {
      if (this.#block.length > longestLine) throw new Flaw(1, 'the header does not end', spoilt);
      return false;
    }
    this.#reader = reader;
    this.#at = at;
    return true;
  }

  /** The end of the file: nothing may be left of it. */
  #end(): void {
    if (this.#over) return;
    this.#over = true;
    const again = 'Copy or make the file again.';
    const left = this.#block.length - this.#at;
    if (this.#before + this.#block.length === 0) throw new Flaw(1, 'the file is empty', again);
    if (this.#reader === null) {
      formatOf(this.#block);
      throw new Flaw(1, 'the file ends within its first lines', again);
    }
    if (left === 0) return;
    const lines = this.#limit > this.#at ? 1 : 0;
    throw new Flaw(
      this.#reader.line + lines,
      lines > 0 && this.#limit === this.#block.length
        ? 'the file ends where a line of values should come'
        : 'the file ends in the middle of the line',
      again,
    );
  }

  #fail(error: unknown): void {
    this.#over = true;
    this.#starved = true;
    this.flaw ??= error instanceof Flaw ? error.toAppError(this.#file, this.rows) : toAppError(error);
  }
}
