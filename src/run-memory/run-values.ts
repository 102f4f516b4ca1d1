import type { Json } from '../expressions/index.js';
import { type LongValue, type ReadLongValue, ValuesNotLoadedError } from '../long-values/index.js';
import type { PayloadRepository } from '../journal/index.js';
import type { RunMemory } from './run-memory.js';

/** Estimated bytes of heap per byte of JSON text, for typical API responses. */
const HEAP_FACTOR = 4;

/**
 * Long values of one running execution. They are loaded when the engine decides what to do next, and released after the
 * decision.
 */
export class RunValues {
  private readonly loaded = new Map<LongValue, Json>();
  private reserved = 0;
  private readonly cached = new Set<LongValue>();

  constructor(
    private readonly executionId: string,
    private readonly memory: RunMemory,
    private readonly payloads: Pick<PayloadRepository, 'text'>,
  ) {}

  readonly read: ReadLongValue = (value) => {
    const known = this.loaded.get(value) ?? this.memory.cache.get(value);
    if (known !== undefined) return known;
    if (value.text === null) throw new ValuesNotLoadedError([value]);
    return this.keep(value, JSON.parse(value.text) as Json);
  };

  async load(values: readonly LongValue[]): Promise<void> {
    const bytes = values.reduce((sum, { size }) => sum + size * HEAP_FACTOR, 0);
    if (this.reserved > 0) this.memory.extend(bytes);
    else await this.memory.reserve(bytes);
    this.reserved += bytes;
    for (const value of values) this.loaded.set(value, this.keep(value, await this.fetch(value)));
  }

  /**
   * Evaluates a function that may read long values. If a long value is not in memory, loads the value and evaluates the
   * function again.
   */
  async whileLoading<T>(evaluate: (read: ReadLongValue) => T): Promise<T> {
    try {
      for (;;) {
        try {
          return evaluate(this.read);
        } catch (error) {
          if (!(error instanceof ValuesNotLoadedError)) throw error;
          await this.load(error.values);
        }
      }
    } finally {
      this.releaseLoaded();
    }
  }

  releaseLoaded(): void {
    if (this.reserved === 0) return;
    this.loaded.clear();
    this.memory.free(this.reserved);
    this.reserved = 0;
  }

  /**
   * Releases the loaded long values of the run and removes the run's values from the shared cache. Must be called at
   * the end of the run.
   */
  close(): void {
    this.releaseLoaded();
    for (const value of this.cached) this.memory.cache.delete(value);
    this.cached.clear();
  }

  private keep(value: LongValue, known: Json): Json {
    this.memory.cache.set(value, known);
    this.cached.add(value);
    return known;
  }

  private async fetch({ place }: LongValue): Promise<Json> {
    const { executionId, sequence, field } = place ?? { executionId: null, sequence: 0, field: 'output' };
    const text = await this.payloads.text(executionId ?? this.executionId, sequence, field);
    if (text === undefined) throw new Error(`The ${field} of event ${sequence} has been deleted.`);
    return JSON.parse(text) as Json;
  }
}
