import { formatCount } from '../../../../src-shared/units.ts';
import { Flaw } from './flaw.ts';
import { knownTags } from './known.ts';
import { changed, comma, matches, newline, RowReader, shown, space, spoilt } from './rowReader.ts';

const integerSuffix = 105;

/** Far more than any database takes: a new one is looked for among all that there are. */
const mostFields = 10_000;
const mostTables = 10_000;

/** What a line begins with: its table and tags, numbers among them; `bytes` ends where its fields, or its time, begin. */
interface Series {
  bytes: Buffer;
  table: number;
  device: number;
  missing: number;
  /** The fields are all tags that are numbers: the time comes next. */
  bare: boolean;
  /** It lacks a tag that is a number, so that another one may begin with the same bytes. */
  ambiguous: boolean;
  /** The one that came after it when it was last met. */
  next: Series | null;
}

interface Table {
  /** Each field's name with its equals sign. */
  starts: Buffer[];
  values: Float64Array;
}

/** Influx's line protocol as TSBS writes it for QuestDB and InfluxDB: one line a row, no header. */
export class InfluxReader extends RowReader {
  readonly format = 'influx';
  readonly #series = new Map<string, Series>();
  readonly #tables: Table[] = [];
  #last: Series | null = null;

  begin(): number {
    for (const { fields } of this.catalogue.tables)
      this.#tables.push({
        starts: fields.map(({ name }) => Buffer.from(`${name}=`)),
        values: new Float64Array(fields.length),
      });
    return 0;
  }

  read(block: Buffer, from: number, limit: number): number {
    if (from >= limit) return -1;
    const guess = this.#last?.next ?? null;
    const known =
      guess !== null && !guess.ambiguous && matches(block, from, guess.bytes)
        ? guess
        : this.#seriesAt(block, from);
    this.table = known.table;
    const start = from + known.bytes.length;
    const table = this.#tables[known.table];
    if (table === undefined) throw new RangeError(`no table ${known.table}`);
    const { values } = table;
    values.fill(Number.NaN);
    const at = known.bare ? start : this.#readFields(block, start, table);
    const behind = this.time.read(block, at);
    if (behind < 0) throw new Flaw(this.line, `${shown(block, at)} is no time in nanoseconds`, spoilt);
    const end = this.endOfLine(block, behind, this.line);
    this.checkOrder(this.line);
    if (this.#last !== null) this.#last.next = known;
    this.#last = known;
    this.device = known.device;
    this.missing = known.missing;
    this.values = table.values;
    this.line += 1;
    return end;
  }

  /** @returns where the time begins */
  #readFields(block: Buffer, from: number, table: Table): number {
    const { numbers } = this;
    let at = from;
    for (let expected = 0; ; expected++) {
      const guess = table.starts[expected];
      const field =
        guess !== undefined && matches(block, at, guess) ? expected : this.#fieldAt(block, at, table);
      const start = table.starts[field] as Buffer;
      const value = at + start.length;
      at = numbers.read(block, value);
      if (at <= value) throw new Flaw(this.line, `${shown(block, value)} is no number`, spoilt);
      if (!numbers.whole || block[at] !== integerSuffix) this.#noteDouble(field);
      if (block[at] === integerSuffix) at += 1;
      table.values[field] = numbers.value;
      expected = field;
      if (block[at] === space) return at + 1;
      if (block[at] !== comma)
        throw new Flaw(this.line, `${shown(block, at)} is not what comes here`, spoilt);
      at += 1;
    }
  }

  #noteDouble(field: number): void {
    const known = this.tableAt(this.table).fields[field];
    if (known !== undefined) known.whole = false;
  }

  /** A field that is not the next one of its table. */
  #fieldAt(block: Buffer, at: number, table: Table): number {
    const known = table.starts.findIndex((start) => matches(block, at, start));
    if (known >= 0) return known;
    const end = block.indexOf('=', at);
    const name = block.toString('utf8', at, end);
    if (end < 0 || !/^[^\s,="\\]+$/.test(name))
      throw new Flaw(this.line, `${shown(block, at)} is no field with its value`, spoilt);
    if (this.catalogue.closed) throw new Flaw(this.line, `the field ${name} ${changed}`);
    if (table.starts.length >= mostFields)
      throw new Flaw(this.line, `the table has more than ${formatCount(mostFields)} fields`, spoilt);
    this.tableAt(this.table).fields.push({ name, whole: true });
    const grown = new Float64Array(table.values.length + 1).fill(Number.NaN);
    grown.set(table.values);
    table.values = grown;
    return table.starts.push(Buffer.from(`${name}=`)) - 1;
  }

  #seriesAt(block: Buffer, from: number): Series {
    const lineEnd = block.indexOf(newline, from);
    const gap = block.indexOf(space, from);
    if (gap < 0 || gap > lineEnd) throw this.#bad(`${shown(block, from)} is no row with its values`);
    const text = block.toString('utf8', from, gap);
    if (text.includes('\\')) throw this.#bad('it has a character with a backslash, as no row of TSBS’s has');
    const [name = '', ...columns] = text.split(',');
    const { end, numbers } = this.#numbersAt(block, gap, name);
    const key = block.toString('latin1', from, end);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const tags = new Map<string, string>();
    for (const column of columns) {
      const equals = column.indexOf('=');
      if (equals <= 0 || equals === column.length - 1 || tags.has(column.slice(0, equals)))
        throw this.#bad(`${JSON.stringify(column)} is no tag`);
      tags.set(column.slice(0, equals), column.slice(equals + 1));
    }
    const made: Series = {
      ...this.#place(name, tags, numbers),
      bytes: Buffer.from(block.subarray(from, end)),
      bare: numbers.size > 0 && block[end - 1] === space,
      ambiguous: this.catalogue.tags.some((tag) => tag.type === 'float32' && !numbers.has(tag.name)),
      next: null,
    };
    this.#series.set(key, made);
    return made;
  }

  /** The tags that are numbers come as the first fields; `end` is behind the separator after them. */
  #numbersAt(block: Buffer, gap: number, name: string): { end: number; numbers: Map<string, string> } {
    const numbers = new Map<string, string>();
    let end = gap + 1;
    for (const { name: tag, type } of knownTags(name) ?? []) {
      if (type === 'string' || !matches(block, end, Buffer.from(`${tag}=`))) continue;
      const value = end + tag.length + 1;
      const behind = this.numbers.read(block, value);
      if (behind <= value || (block[behind] !== comma && block[behind] !== space))
        throw this.#bad(`${shown(block, value)} is no number`);
      numbers.set(tag, block.toString('latin1', value, behind));
      end = behind + 1;
      if (block[behind] === space) break;
    }
    return { end, numbers };
  }

  #place(
    name: string,
    tags: Map<string, string>,
    numbers: Map<string, string>,
  ): Pick<Series, 'table' | 'device' | 'missing'> {
    if (name === '' || name.includes('='))
      throw this.#bad(`${JSON.stringify(name.slice(0, 30))} is no name of a table`);
    const { catalogue } = this;
    if (catalogue.tags.length === 0) {
      const own = [...tags.keys()].map((tag) => ({ name: tag, type: 'string' as const }));
      catalogue.tags = [...(knownTags(name) ?? own)];
      if (catalogue.tags.length === 0) throw this.#bad('it has no tags');
    }
    const common = new Set(catalogue.tags.map((tag) => tag.name));
    const found = catalogue.devices.find(
      catalogue.tags.map((tag) => (tag.type === 'string' ? tags : numbers).get(tag.name) ?? null),
    );
    if (found === null) throw this.#bad(`the device of ${name} ${changed}`);
    const table = this.#tableNamed(name);
    const own = [...tags].filter(([tag]) => !common.has(tag));
    this.table = table;
    const values = own.map(([, value]) => value);
    this.noteOwnTags(
      found.device,
      own.map(([tag]) => tag),
      values,
      this.line,
    );
    return { ...found, table };
  }

  #tableNamed(name: string): number {
    const { catalogue } = this;
    const known = catalogue.tables.findIndex((table) => table.name === name);
    if (known >= 0) return known;
    if (catalogue.closed) throw this.#bad(`the table ${name} ${changed}`);
    if (catalogue.tables.length >= mostTables)
      throw this.#bad(`there are more than ${formatCount(mostTables)} tables`);
    catalogue.addTable(name, []);
    return this.#tables.push({ starts: [], values: new Float64Array(0) }) - 1;
  }

  #bad(message: string): Flaw {
    return new Flaw(this.line, message, spoilt);
  }
}
