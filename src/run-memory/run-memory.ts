import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../settings/index.js';
import { Reservations } from './reservations.js';
import { ValueCache } from './value-cache.js';

/**
 * Fraction of the heap limit for the JSON that runs keep in memory. Small, because parsed JSON takes several times its
 * length.
 */
const HELD_SHARE = 1 / 8;

/** Fraction of the heap limit for values loaded for decisions. */
const LOADED_SHARE = 1 / 16;

/** Fraction of the heap limit for the cache of recently read values. */
const CACHED_SHARE = 1 / 16;

/**
 * Limits the memory of all runs of this process, measured in bytes of JSON. At the limit, the process starts no
 * further executions, and attempts receive large values one at a time. Running executions continue.
 */
@Injectable()
export class RunMemory {
  readonly cache: ValueCache;
  /** Reservations of decisions, for the values that they load. */
  private readonly loads: Reservations;
  /** Reservations of attempts, for the results that they are about to return. */
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

  /** Sets the listener that is called when memory is no longer full. */
  onRoom(listener: () => void): void {
    this.roomListener = listener;
  }

  /**
   * Counts bytes that a run keeps in memory.
   * @param bytes bytes to add; negative to release them
   */
  hold(bytes: number): void {
    this.change(() => {
      this.held += bytes;
      if (bytes < 0) this.results.grant();
    });
  }

  /**
   * Waits until an attempt may receive this many bytes. If no other attempt has a reservation, any number is allowed.
   * @returns a function that releases the bytes; call it once
   */
  async reserveResult(bytes: number, signal: AbortSignal): Promise<() => void> {
    await this.results.take(bytes, signal);
    return () => this.change(() => this.results.free(bytes));
  }

  /**
   * Waits until other decisions have released their values. If no other decision has loaded values, any number of
   * bytes is allowed.
   */
  reserve(bytes: number): Promise<void> {
    return this.loads.take(bytes);
  }

  /** Extends the reservation of a decision without waiting, because waiting for other decisions could deadlock. */
  extend(bytes: number): void {
    this.loads.extend(bytes);
  }

  /** Releases bytes that a decision had reserved. */
  free(bytes: number): void {
    this.loads.free(bytes);
  }

  private change(change: () => void): void {
    const wasFull = this.isFull;
    change();
    if (wasFull && !this.isFull) this.roomListener();
  }
}
