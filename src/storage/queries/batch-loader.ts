import { inBackground, withinRequest } from '../../database/index.ts';

const MAX_KEYS = 64;

interface Asked<Value> {
  readonly key: string;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines concurrent reads into batches. Keys that are requested while a statement runs are read together by the next
 * statement, so a result is never older than its request.
 */
export class BatchLoader<Value> {
  private asked: Asked<Value>[] = [];
  private reading = false;

  /** @param read returns the values of distinct keys; keys without a value are absent */
  constructor(private readonly read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {}

  /**
   * Returns the value of a key, or undefined if the key has no value.
   *
   * @throws StatementTimeoutError if the time limit of the request expires. The limit includes the wait for earlier
   * reads.
   */
  find(key: string): Promise<Value | undefined> {
    return withinRequest(this.shared(key));
  }

  private shared(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.asked.push({ key, resolve, reject });
      if (this.reading) return;
      this.reading = true;
      // `setImmediate` delays the read until all keys of this turn of the event loop are known, so that one statement
      // reads these keys.
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
