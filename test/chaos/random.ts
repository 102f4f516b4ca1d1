/** What a run of chaos does by chance; the same seed does the same again, as far as the machine lets it. */
export class Random {
  private state: number;

  /** @param seed an unsigned integer of 32 bits */
  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** From `CHAOS_SEED`, else a new one. */
  static fromEnvironment(): Random {
    const given = process.env['CHAOS_SEED'];
    return new Random(given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given));
  }

  /** From 0 up to 1, by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  of<T>(list: readonly [T, ...T[]]): T {
    return list[this.between(0, list.length - 1)] ?? list[0];
  }
}
