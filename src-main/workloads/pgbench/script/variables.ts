import { failed } from '../int64.ts';
import { parseValue, type Value, valueText } from './values.ts';

/** Variables' names as numbers, one table for all clients of a thread: looking one up is an index, not a search. */
export class Names {
  readonly #slots = new Map<string, number>();
  readonly #names: string[] = [];

  slot(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#names.push(name) - 1;
    this.#slots.set(name, slot);
    return slot;
  }
  name(slot: number): string {
    return this.#names[slot] ?? '';
  }
}

/** One client's variables. A text is taken for a value only when an expression asks for it, and the other way round. */
export class Variables {
  readonly #names: Names;
  readonly #values: (Value | undefined)[] = [];
  readonly #texts: (string | undefined)[] = [];

  constructor(names: Names) {
    this.#names = names;
  }

  set(slot: number, value: Value): void {
    this.#values[slot] = value;
    this.#texts[slot] = undefined;
  }
  setText(slot: number, text: string): void {
    this.#values[slot] = undefined;
    this.#texts[slot] = text;
  }

  /** @throws AppError where it is not defined or not a value */
  value(slot: number): Value {
    const value = this.#values[slot];
    if (value !== undefined) return value;
    const name = this.#names.name(slot);
    const text = this.#texts[slot];
    if (text === undefined) throw failed(`undefined variable "${name}"`);
    const parsed = parseValue(name, text);
    this.#values[slot] = parsed;
    return parsed;
  }

  /** As it is sent as a parameter: a usual integer as it is, all else as text. Null where it is not defined. */
  parameter(slot: number): string | number | null {
    const value = this.#values[slot];
    return typeof value === 'number' ? value : this.text(slot);
  }

  /** As it goes into SQL; null where it is not defined. */
  text(slot: number): string | null {
    const text = this.#texts[slot];
    if (text !== undefined) return text;
    const value = this.#values[slot];
    if (value === undefined) return null;
    const made = valueText(value);
    this.#texts[slot] = made;
    return made;
  }
}
