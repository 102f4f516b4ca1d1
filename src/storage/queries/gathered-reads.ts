import { inBackground, withinRequest } from '../../database/index.js';

/** Keys in one reading. */
const MAX_KEYS = 64;

interface Asked<Value> {
  readonly key: string;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group reading: one statement is under way at a time, and what is asked for meanwhile shares the next. So who asks is
 * told what was there after it asked; nothing is remembered.
 */
export class GatheredReads<Value> {
  private asked: Asked<Value>[] = [];
  private reading = false;

  /** @param read finds what there is of some keys; no key stands there twice */
  constructor(private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {}

  /**
   * Resolves to undefined where there is nothing; rejects with what the reading failed with.
   * @throws StatementTimeoutError where a request has waited for its limit, behind other readings included
   */
  find(key: string): Promise<Value | undefined> {
    return withinRequest(this.shared(key));
  }

  private shared(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.asked.push({ key, resolve, reject });
      if (this.reading) return;
      this.reading = true;
      // What is asked for in this turn of the event loop is read together.
      inBackground(() => setImmediate(() => void this.readAll()));
    });
  }

  private async readAll(): Promise<void> {
    while (this.asked.length > 0) await this.answer(this.take());
    this.reading = false;
  }

  private take(): readonly Asked<Value>[] {
    const keys = new Set<string>();
    const taken: Asked<Value>[] = [];
    const rest: Asked<Value>[] = [];
    for (const one of this.asked) {
      const fits = keys.has(one.key) || keys.size < MAX_KEYS;
      if (fits) keys.add(one.key);
      (fits ? taken : rest).push(one);
    }
    this.asked = rest;
    return taken;
  }

  private async answer(taken: readonly Asked<Value>[]): Promise<void> {
    try {
      const found = await this.read([...new Set(taken.map(({ key }) => key))]);
      for (const { key, resolve } of taken) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }
}
