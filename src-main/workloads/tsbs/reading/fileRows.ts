import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import { formatBytes, formatCount } from '../../../../src-shared/units.ts';
import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { RowShare, RowSource } from '../../workload.ts';
import { devicesOf } from '../deviceShare.ts';
import { fnv1a32 } from '../hash.ts';
import { catalogueSchema, datasetOf } from './catalogue.ts';
import { RowFile } from './rowFile.ts';

/** `RowSourceSpec.parameters` of a file; `contents` once it has been looked through. */
export const fileSchema = z.strictObject({
  file: z.string(),
  anyOrder: z.boolean().default(false),
  /** Rows given at most; 0: all. */
  limit: z.int().min(0).default(0),
  contents: z.object({ catalogue: catalogueSchema, rows: z.int().min(0) }).optional(),
});
export type FileSpec = z.output<typeof fileSchema>;

/** The rows of a data file that has been looked through, in its order. */
export class FileRows implements RowSource {
  readonly dataset: Dataset;
  readonly totalRows: number;
  readonly estimated?: true;
  readonly #file: RowFile;
  readonly #name: string;
  /** Rows of the file up to the last good one that is wanted. */
  readonly #all: number;
  readonly #share: RowShare | null;
  readonly #own: Uint8Array | null;

  /** @throws Error for a file that has not been looked through */
  constructor({ file, anyOrder, contents }: FileSpec, share?: RowShare) {
    if (contents === undefined) throw new Error('the file has not been looked through');
    this.#name = file;
    this.#file = new RowFile(file, anyOrder, contents.catalogue);
    this.#all = contents.rows;
    this.totalRows = contents.rows;
    this.dataset = datasetOf(contents.catalogue);
    this.#share = share ?? null;
    const [first] = this.dataset.tags;
    const own = devicesOf(
      share,
      this.dataset.devices,
      (device) => `${first?.name}=${this.dataset.deviceTags(device)[0]}`,
    );
    this.#own = own === null ? null : new Uint8Array(this.dataset.devices);
    for (const device of own ?? []) this.#own?.set([1], device);
    if (own !== null) this.estimated = true;
  }

  async read(): Promise<boolean> {
    if (this.#file.rows === this.#all) return false;
    if (await this.#file.more()) return true;
    throw new AppError({
      code: 'bad-input',
      message: `The file has changed since it was looked through: it had ${formatCount(this.#all)} rows, and now there are ${formatCount(this.#file.rows)}`,
      place: { file: this.#name },
      detail: this.#file.flaw?.message,
    });
  }

  fill(sink: RowSink, max: number): number {
    const file = this.#file;
    let given = 0;
    while (given < max && file.rows < this.#all && file.next()) {
      const { table, device, ms, nanos, values, missing } = file.reader;
      if (!this.#isOwn(device, missing)) continue;
      if (missing < 0) sink.row(table, device, ms, nanos, values);
      else sink.row(table, device, ms, nanos, values, missing);
      given += 1;
    }
    return given;
  }

  skip(rows: number): number {
    const file = this.#file;
    let gone = 0;
    while (gone < rows && file.rows < this.#all && file.next()) {
      const { device, missing } = file.reader;
      if (this.#isOwn(device, missing)) gone += 1;
    }
    return gone;
  }

  place(): string {
    return `line ${formatCount(this.#file.line - 1)}, ${formatBytes(this.#file.textBytes)} of the text`;
  }

  close(): void {
    this.#file.close();
  }

  /** By TSBS's hash of the first tag; rows that lack it all go one way. */
  #isOwn(device: number, missing: number): boolean {
    if (this.#own === null || this.#share === null) return true;
    if (missing !== 0) return this.#own[device] === 1;
    return fnv1a32(`${this.dataset.tags[0]?.name}=`) % this.#share.workers === this.#share.worker;
  }
}
