/** A generator of pseudorandom numbers for chaos tests. Equal seeds give equal sequences. */
export class Random {
  private state: number;

  /** @param seed an unsigned 32-bit integer */
  constructor(readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** Creates a generator with the seed in `CHAOS_SEED`, or with a random seed if that variable is not set. */
  static fromEnvironment(): Random {
    const given = process.env['CHAOS_SEED'];
    return new Random(given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given));
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), by the algorithm mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer between two bounds, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  of<T>(list: readonly [T, ...T[]]): T {
    return list[this.between(0, list.length - 1)] ?? list[0];
  }
}
