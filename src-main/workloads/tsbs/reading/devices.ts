/** The tags of a row: null for one that it lacks. */
export type TagValues = readonly (string | null)[];

const separator = '\u0000';

/**
 * The devices of a file by their tags. TSBS leaves out a tag of a row now and then; such a row belongs to the device whose
 * other tags are the same, and a device that was met without a tag gets it from a later row.
 */
export class Devices {
  /** Tags of each device. */
  readonly tags: (string | null)[][] = [];
  readonly #byName = new Map<string, number[]>();
  /** By all tags but the first. */
  readonly #byRest = new Map<string, number[]>();
  /** Of rows that lack several tags: they are kept as they are. */
  readonly #bare = new Map<string, number>();
  readonly #closed: boolean;

  /** @param known devices there are; where they are given, no others are taken */
  constructor(known?: readonly TagValues[]) {
    for (const values of known ?? []) this.#add(values);
    this.#closed = known !== undefined;
  }

  /** @returns the device and which of its tags this row lacks (−1: none); null for a device that is not there */
  find(values: TagValues): { device: number; missing: number } | null {
    const missing = values.indexOf(null);
    if (missing >= 0 && values.indexOf(null, missing + 1) >= 0) {
      const device = this.#bare.get(values.join(separator)) ?? this.#open(values);
      return device === null ? null : { device, missing: -1 };
    }
    const alike = this.#alike(values, missing);
    const device = alike ?? this.#open(values);
    if (device === null) return null;
    if (alike !== null) this.#complete(device, values);
    return { device, missing };
  }

  #alike(values: TagValues, missing: number): number | null {
    const [name] = values;
    const rest = this.#byRest.get(restOf(values)) ?? [];
    if (missing === 0) return rest[0] ?? null;
    const named = this.#byName.get(name ?? '')?.find((device) => fits(this.tags[device] ?? [], values));
    if (named !== undefined) return named;
    return rest.find((device) => this.tags[device]?.[0] === null) ?? null;
  }

  #open(values: TagValues): number | null {
    return this.#closed ? null : this.#add(values);
  }

  #add(values: TagValues): number {
    const device = this.tags.push([...values]) - 1;
    const missing = values.filter((value) => value === null).length;
    if (missing > 1) this.#bare.set(values.join(separator), device);
    else this.#enter(device);
    return device;
  }

  #enter(device: number): void {
    const values = this.tags[device] ?? [];
    const [name] = values;
    if (name !== null && name !== undefined) put(this.#byName, name, device);
    if (!values.includes(null, 1)) put(this.#byRest, restOf(values), device);
  }

  #complete(device: number, values: TagValues): void {
    const own = this.tags[device];
    const gap = own?.indexOf(null) ?? -1;
    const value = values[gap];
    if (own === undefined || gap < 0 || value === null || value === undefined) return;
    own[gap] = value;
    if (gap === 0) put(this.#byName, value, device);
    else put(this.#byRest, restOf(own), device);
  }
}

function restOf(values: TagValues): string {
  return values.slice(1).join(separator);
}

function fits(own: TagValues, values: TagValues): boolean {
  return own.every((value, i) => value === null || values[i] === null || value === values[i]);
}

function put(map: Map<string, number[]>, key: string, device: number): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, [device]);
  else if (!there.includes(device)) there.push(device);
}
