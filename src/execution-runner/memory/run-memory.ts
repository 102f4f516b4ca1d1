import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../settings/index.js';
import { Reservations } from './reservations.js';
import { ValueCache } from './value-cache.js';

/** Part of the heap limit that JSON may have which runs hold: in memory it takes several times its length. */
const HELD_SHARE = 1 / 8;

/** Part of the heap that values may take for the decision that needs them. */
const LOADED_SHARE = 1 / 16;

/** Part of the heap for values that were read a moment ago. */
const CACHED_SHARE = 1 / 16;

/**
 * The memory that the runs of this process take together, by the bytes of JSON that they hold. Once it is full, this
 * process starts nothing new and attempts receive large values one at a time; what runs goes on.
 */
@Injectable()
export class RunMemory {
  readonly cache: ValueCache;
  /** Of decisions, for the values that they load. */
  private readonly loads: Reservations;
  /** Of attempts, for what they are about to return. */
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

  /** Sets who hears that it is no longer full. */
  onRoom(listener: () => void): void {
    this.roomListener = listener;
  }

  /** @param bytes negative where they are let go of */
  hold(bytes: number): void {
    this.change(() => {
      this.held += bytes;
      if (bytes < 0) this.results.grant();
    });
  }

  /**
   * Waits until an attempt may receive so many bytes; a single one may receive any number.
   * @returns frees them; to be called once
   */
  async reserveResult(bytes: number, signal: AbortSignal): Promise<() => void> {
    await this.results.take(bytes, signal);
    return () => this.change(() => this.results.free(bytes));
  }

  /** Waits until other decisions have let go of what they loaded; a single one may load any number of bytes. */
  reserve(bytes: number): Promise<void> {
    return this.loads.take(bytes);
  }

  /** Takes more for a decision that has a reservation: it must not wait for others while they wait for it. */
  extend(bytes: number): void {
    this.loads.extend(bytes);
  }

  /** Gives reservations of decisions back. */
  free(bytes: number): void {
    this.loads.free(bytes);
  }

  private change(change: () => void): void {
    const wasFull = this.isFull;
    change();
    if (wasFull && !this.isFull) this.roomListener();
  }
}
