import type { Batch } from '../journal/index.ts';
import { eventFrame } from './frame.ts';

/** A socket that writes the frames of its events when the frame batch is flushed. */
export interface FrameBatchMember {
  flush(): void;
}

interface BatchedEvent {
  readonly batch: Batch;
  readonly index: number;
}

/**
 * Collects journal events until the next flush, when each socket sends its events with a single write. The joined bytes
 * are cached, because many sockets send the same events.
 */
export class FrameBatch {
  private places: BatchedEvent[] = [];
  /** Slot number (index in `places`) of each event, by journal batch. */
  private known = new Map<Batch, number[]>();
  private joined = new Map<string, Buffer>();
  private members = new Set<FrameBatchMember>();

  /** @param delivered counts the events passed to sockets */
  constructor(private readonly delivered: { websocket: number }) {}

  /** Adds an event and returns its slot number. Flushes `member` after two turns of the event loop. */
  place(batch: Batch, index: number, member: FrameBatchMember): number {
    // Writing frames blocks the event loop. The delay of two turns lets executions that waited for this commit continue
    // first. Their next commit then reaches the disk while frames are written.
    if (this.members.size === 0) setImmediate(() => setImmediate(() => this.end()));
    this.members.add(member);
    this.delivered.websocket += 1;
    let known = this.known.get(batch);
    if (known === undefined) this.known.set(batch, (known = []));
    return (known[index] ??= this.places.push({ batch, index }) - 1);
  }

  /**
   * Returns the joined frames of some events.
   * @param share ascending ranges of slot numbers, as pairs of start and end (exclusive)
   */
  bytes(share: readonly number[]): Buffer {
    const key = share.join();
    let bytes = this.joined.get(key);
    if (bytes === undefined) this.joined.set(key, (bytes = this.join(share)));
    return bytes;
  }

  private join(share: readonly number[]): Buffer {
    const frames: Buffer[] = [];
    for (let at = 0; at < share.length; at += 2)
      for (const { batch, index } of this.places.slice(share[at], share[at + 1]))
        frames.push(eventFrame(batch, index));
    const [only] = frames;
    return frames.length === 1 && only !== undefined ? only : Buffer.concat(frames);
  }

  private end(): void {
    for (const member of this.members) member.flush();
    this.places = [];
    this.known = new Map();
    this.joined = new Map();
    this.members = new Set();
  }
}
