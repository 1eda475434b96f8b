import type { TagType } from '../../../databases/driver.ts';
import { Flaw } from './flaw.ts';
import { knownTable } from './known.ts';
import { carriageReturn, changed, comma, matches, newline, RowReader, shown, spoilt } from './rowReader.ts';

/** What a line of tags says; `bytes` is the whole line. */
interface TagLine {
  bytes: Buffer;
  device: number;
  missing: number;
  names: readonly string[];
  values: readonly string[];
  /** Tables whose rows have had it. */
  tables: Set<number>;
  /** The one that came after it when it was last met. */
  next: TagLine | null;
}

interface Table {
  /** Its name with a comma. */
  start: Buffer;
  values: Float64Array;
  /** A row may have fewer values than the table has fields. */
  short: boolean;
  whole: boolean[];
}

/** TSBS's format for TimescaleDB: a header, then a line of tags and a line of values for each row. */
export class TimescaledbReader extends RowReader {
  readonly format = 'timescaledb';
  readonly #lines = new Map<string, TagLine>();
  #tables: Table[] = [];
  #last: TagLine | null = null;
  /** What each tag begins with: `,hostname=`. */
  #tagStarts: string[] = [];

  begin(block: Buffer, limit: number): number {
    // Where the header is longer than the block, it is read again from its beginning.
    if (!this.catalogue.closed) this.catalogue.tables.length = 0;
    let at = 0;
    for (let number = 1; ; number++) {
      const end = block.indexOf(newline, at);
      if (end < 0 || end >= limit) return -1;
      const text = block.toString('utf8', at, block[end - 1] === carriageReturn ? end - 1 : end);
      this.endOfLine(block, block[end - 1] === carriageReturn ? end - 1 : end, number);
      at = end + 1;
      if (number === 1) this.#readTags(text);
      else if (text !== '') this.#readTable(text, number);
      else {
        if (this.catalogue.tables.length === 0) throw new Flaw(number, 'the header has no table', spoilt);
        this.line = number + 1;
        this.#tables = this.catalogue.tables.map((table) => ({
          start: Buffer.from(`${table.name},`),
          values: new Float64Array(table.fields.length),
          short: knownTable(table.name)?.shortRows === true,
          whole: table.fields.map(({ whole }) => whole),
        }));
        return at;
      }
    }
  }

  #readTags(text: string): void {
    const [word, ...columns] = text.split(',');
    const bad = (message: string, hint: string) => new Flaw(1, message, hint);
    if (word !== 'tags') throw bad('it is no header of TSBS’s', spoilt);
    if (columns.some((column) => column.includes('=')))
      throw bad(
        'the header is missing: the file begins with a row',
        'Make the file again, or put the lines before the first row back.',
      );
    const tags = columns.map((column) => {
      const [name = '', type, ...more] = column.split(' ');
      const known: Record<string, TagType> = { string: 'string', float32: 'float32' };
      if (type === undefined)
        throw bad('the tags have no types', 'A TSBS from before 2019 wrote it: make the file again.');
      if (known[type] === undefined || more.length > 0 || name === '')
        throw bad(`${JSON.stringify(column)} is no tag with a type that TSBS writes`, spoilt);
      return { name, type: known[type] };
    });
    if (tags.length === 0) throw bad('the header has no tags', spoilt);
    if (!this.catalogue.closed) this.catalogue.tags = tags;
    this.#tagStarts = tags.map(({ name }) => `,${name}=`);
  }

  #readTable(text: string, line: number): void {
    const [name = '', ...fields] = text.split(',');
    if (name === '' || fields.length === 0 || fields.includes('') || name.includes('='))
      throw new Flaw(line, `${JSON.stringify(text.slice(0, 40))} is no table with its fields`, spoilt);
    if (new Set(fields).size < fields.length) throw new Flaw(line, `${name} has a field twice`, spoilt);
    if (this.catalogue.closed) return;
    if (this.catalogue.tables.some((table) => table.name === name))
      throw new Flaw(line, `the table ${name} is there twice`, spoilt);
    this.catalogue.addTable(name, fields);
  }

  read(block: Buffer, from: number, limit: number): number {
    if (from >= limit) return -1;
    const guess = this.#last?.next ?? null;
    const known = guess !== null && matches(block, from, guess.bytes) ? guess : this.#tagLine(block, from);
    const start = from + known.bytes.length;
    if (start >= limit) return -1;
    const end = this.#readValues(block, start, known);
    if (this.#last !== null) this.#last.next = known;
    this.#last = known;
    this.line += 2;
    return end;
  }

  #readValues(block: Buffer, start: number, tags: TagLine): number {
    const line = this.line + 1;
    const table = this.#tableAt(block, start, line);
    let at = this.time.read(block, start + table.start.length);
    if (at < 0)
      throw new Flaw(line, `${shown(block, start + table.start.length)} is no time in nanoseconds`, spoilt);
    const { numbers } = this;
    const { values, whole } = table;
    const count = values.length;
    let found = 0;
    while (block[at] === comma) {
      if (found === count) throw new Flaw(line, `it has more than the ${count} values of its table`, spoilt);
      const next = numbers.read(block, at + 1);
      if (next < 0) throw new Flaw(line, `${shown(block, at + 1)} is no number`, spoilt);
      at = next;
      if (!numbers.whole) whole[found] = false;
      values[found++] = numbers.value;
    }
    const end = this.endOfLine(block, at, line);
    if (found < count) {
      if (!table.short) throw new Flaw(line, `it has ${found} of the ${count} values of its table`, spoilt);
      values.fill(Number.NaN, found);
    }
    if (!tags.tables.has(this.table)) {
      this.noteOwnTags(tags.device, tags.names, tags.values, this.line);
      tags.tables.add(this.table);
    }
    this.checkOrder(line);
    this.device = tags.device;
    this.missing = tags.missing;
    this.values = values;
    return end;
  }

  /** The table of the line at `at`: most often that of the line before, or the one after it. */
  #tableAt(block: Buffer, at: number, line: number): Table {
    const last = this.#tables[this.table];
    if (last !== undefined && matches(block, at, last.start)) return last;
    const index = this.#tables.findIndex(({ start }) => matches(block, at, start));
    const table = this.#tables[index];
    if (table === undefined) {
      const name = shown(block, at);
      throw name === '"tags"'
        ? new Flaw(
            line,
            'a line of tags follows another: the values between them are missing',
            'The file’s lines were sorted or lost: make it again.',
          )
        : new Flaw(line, `${name} is no table of the header`, spoilt);
    }
    this.table = index;
    return table;
  }

  #tagLine(block: Buffer, from: number): TagLine {
    const end = block.indexOf(newline, from);
    const key = block.toString('latin1', from, end);
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const returns = block[end - 1] === carriageReturn;
    const text = block.toString('utf8', from, returns ? end - 1 : end);
    this.endOfLine(block, returns ? end - 1 : end, this.line);
    const made: TagLine = {
      ...this.#readTagLine(text),
      bytes: Buffer.from(block.subarray(from, end + 1)),
      tables: new Set(),
      next: null,
    };
    this.#lines.set(key, made);
    return made;
  }

  #readTagLine(text: string): Pick<TagLine, 'device' | 'missing' | 'names' | 'values'> {
    const bad = (message: string) => new Flaw(this.line, message, spoilt);
    if (!text.startsWith('tags,'))
      throw bad(
        text.startsWith('tags')
          ? 'the line of tags is cut off'
          : `${JSON.stringify(text.slice(0, 30))} is no line of tags`,
      );
    const columns = text.slice(5).split(',');
    const tags = this.#tagStarts.map((start, i) => {
      const column = columns[i];
      if (column === undefined || !column.startsWith(start.slice(1)))
        throw bad(`the tag ${start.slice(1, -1)} is not in its place`);
      const value = column.slice(start.length - 1);
      return value === '' ? null : value;
    });
    const own = columns.slice(tags.length).map((column) => {
      const equals = column.indexOf('=');
      if (equals <= 0) throw bad(`${JSON.stringify(column)} is no tag`);
      return [column.slice(0, equals), column.slice(equals + 1)] as const;
    });
    const found = this.catalogue.devices.find(tags);
    if (found === null) throw bad(`${tags[0] ?? 'a device without a name'} ${changed}`);
    return { ...found, names: own.map(([name]) => name), values: own.map(([, value]) => value) };
  }

  /** Which fields had a decimal point somewhere. */
  noteTypes(): void {
    this.#tables.forEach(({ whole }, i) => {
      this.tableAt(i).fields.forEach((field, k) => {
        field.whole = whole[k] === true;
      });
    });
  }
}
