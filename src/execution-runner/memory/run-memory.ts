import { getHeapStatistics } from 'node:v8';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../settings/index.js';
import { ValueCache } from './value-cache.js';

/** Part of the heap limit that JSON may have which runs hold: in memory it takes several times its length. */
const HELD_SHARE = 1 / 8;

/** Part of the heap that values may take for the decision that needs them. */
const LOADED_SHARE = 1 / 16;

/** Part of the heap for values that were read a moment ago. */
const CACHED_SHARE = 1 / 16;

/** A reservation that waits for others to be given back. */
interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/**
 * The memory that the runs of this process take together, by the bytes of JSON that they hold. Once it is full, this
 * process starts nothing new; what runs goes on.
 */
@Injectable()
export class RunMemory {
  readonly cache: ValueCache;
  private readonly limit: number;
  private readonly loadable: number;
  private held = 0;
  private loaded = 0;
  private readonly waiting: Waiting[] = [];
  private roomListener: () => void = () => undefined;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'PROCESS_MAX_BYTES'>) {
    const heap = getHeapStatistics().heap_size_limit;
    this.limit = settings.PROCESS_MAX_BYTES ?? heap * HELD_SHARE;
    this.cache = new ValueCache(heap * CACHED_SHARE);
    this.loadable = heap * LOADED_SHARE;
  }

  get isFull(): boolean {
    return this.held >= this.limit;
  }

  /** Sets who hears that it is no longer full. */
  onRoom(listener: () => void): void {
    this.roomListener = listener;
  }

  /** @param bytes negative where they are let go of */
  hold(bytes: number): void {
    const wasFull = this.isFull;
    this.held += bytes;
    if (wasFull && !this.isFull) this.roomListener();
  }

  /** Waits until other decisions have let go of what they loaded; a single one may load any number of bytes. */
  async reserve(bytes: number): Promise<void> {
    if (this.waiting.length > 0 || !this.fits(bytes))
      await new Promise<void>((resolve) => this.waiting.push({ bytes, resolve }));
    else this.loaded += bytes;
  }

  /** Takes more for a decision that has a reservation: it must not wait for others while they wait for it. */
  extend(bytes: number): void {
    this.loaded += bytes;
  }

  /** Gives reservations back. */
  free(bytes: number): void {
    this.loaded -= bytes;
    for (
      let first = this.waiting[0];
      first !== undefined && this.fits(first.bytes);
      first = this.waiting[0]
    ) {
      this.waiting.shift();
      this.loaded += first.bytes;
      first.resolve();
    }
  }

  private fits(bytes: number): boolean {
    return this.loaded === 0 || this.loaded + bytes <= this.loadable;
  }
}
