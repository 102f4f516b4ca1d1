import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../settings/index.js';
import { Reservations } from './reservations.js';
import { ValueCache } from './value-cache.js';

/**
 * Fraction of the heap that the JSON of all running executions may take. The fraction is small, because parsed JSON
 * takes several times the memory of its text.
 */
const HELD_SHARE = 1 / 8;

/** Fraction of the heap for the long values that the engine needs to decide what to do next. */
const LOADED_SHARE = 1 / 16;

/** Fraction of the heap for the cache of recently read long values. */
const CACHED_SHARE = 1 / 16;

/**
 * Limits the memory that running executions take in this process, measured in bytes of JSON. At the limit, the process
 * claims no further execution, and node attempts receive large results one at a time.
 */
@Injectable()
export class RunMemory {
  readonly cache: ValueCache;
  /** Memory reserved for long values, which the engine reads when it decides what to do next. */
  private readonly loads: Reservations;
  /** Memory that attempts have reserved for their results. */
  private readonly results: Reservations;
  private readonly limit: number;
  private held = 0;
  private roomListener: () => void = () => undefined;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'PROCESS_MAX_BYTES'>) {
    const heap = getHeapStatistics().heap_size_limit;
    this.limit = settings.PROCESS_MAX_BYTES ?? heap * HELD_SHARE;
    this.cache = new ValueCache(heap * CACHED_SHARE);
    this.loads = new Reservations(() => heap * LOADED_SHARE);
    this.results = new Reservations(() => this.limit - this.held);
  }

  get isFull(): boolean {
    return this.held + this.results.bytes >= this.limit;
  }

  /** Sets the listener that is called when the memory of running executions falls below the limit again. */
  onRoom(listener: () => void): void {
    this.roomListener = listener;
  }

  /**
   * Counts the bytes of JSON that a running execution keeps in memory.
   *
   * @param bytes bytes to add; negative to release them
   */
  hold(bytes: number): void {
    this.change(() => {
      this.held += bytes;
      if (bytes < 0) this.results.grant();
    });
  }

  /**
   * Waits until there is memory for the result of an attempt. A result larger than the limit is granted when no other
   * result has a reservation.
   *
   * @returns a function that releases the bytes; call it once
   */
  async reserveResult(bytes: number, signal: AbortSignal): Promise<() => void> {
    await this.results.take(bytes, signal);
    return () => this.change(() => this.results.free(bytes));
  }

  /**
   * Waits until there is memory for the long values that the engine needs for one decision. A decision that needs more
   * than the limit waits until no other decision has a reservation.
   */
  reserve(bytes: number): Promise<void> {
    return this.loads.take(bytes);
  }

  /**
   * Enlarges the memory reservation for a decision of the engine immediately, even beyond the limit. Two
   * decisions that waited for each other would deadlock.
   */
  extend(bytes: number): void {
    this.loads.extend(bytes);
  }

  free(bytes: number): void {
    this.loads.free(bytes);
  }

  private change(change: () => void): void {
    const wasFull = this.isFull;
    change();
    if (wasFull && !this.isFull) this.roomListener();
  }
}
