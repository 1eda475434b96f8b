/**
 * Ids for inserts where the client gives them: each 32-bit number once, in an order that looks like chance. Clients count
 * through numbers of their own and MurmurHash3's last step, which maps 32 bits onto 32 bits one to one, mixes them.
 */
export class UniqueIds {
  readonly #clients: number;
  #next: number;

  /** @param number of the client, from 0 */
  constructor(seed: number, number: number, clients: number) {
    this.#clients = clients;
    this.#next = seed + number;
  }

  /** From −2³¹ to 2³¹ − 1. */
  next(): number {
    let h = this.#next | 0;
    this.#next += this.#clients;
    h ^= h >>> 16;
    h = Math.imul(h, 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    return h ^ (h >>> 16);
  }
}
