/** Random choices of a chaos test. The same seed gives the same choices, as far as timing allows. */
export class Random {
  private state: number;

  /** @param seed an unsigned 32-bit integer */
  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** Uses the seed in `CHAOS_SEED`, or a random seed if that variable is not set. */
  static fromEnvironment(): Random {
    const given = process.env['CHAOS_SEED'];
    return new Random(given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given));
  }

  /** A number from 0 (inclusive) to 1 (exclusive), by mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer between the bounds, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  of<T>(list: readonly [T, ...T[]]): T {
    return list[this.between(0, list.length - 1)] ?? list[0];
  }
}
