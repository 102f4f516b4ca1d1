import type { Batch } from '../journal/index.ts';
import { eventFrame } from './frame.ts';

/** A socket that collects events of a frame batch and writes their frames when the batch is flushed. */
export interface FrameBatchMember {
  flush(): void;
}

interface BatchedEvent {
  readonly batch: Batch;
  readonly index: number;
}

/**
 * Collects events of the journal until the next flush. Each socket then writes its events with a single write. Sockets
 * with the same events write the same bytes, which are joined only once.
 */
export class FrameBatch {
  private places: BatchedEvent[] = [];
  /** Slot numbers of the events of each journal batch. */
  private known = new Map<Batch, number[]>();
  private joined = new Map<string, Buffer>();
  private members = new Set<FrameBatchMember>();

  /** @param delivered counts the events passed to sockets */
  constructor(private readonly delivered: { websocket: number }) {}

  /** Adds an event and returns its slot number. Flushes `member` after two turns of the event loop. */
  place(batch: Batch, index: number, member: FrameBatchMember): number {
    // Writing frames takes as long as deciding the next step of an execution. A delay of two turns lets work that
    // waited for the commit run first. The next commit of that work then reaches the disk while frames are written.
    if (this.members.size === 0) setImmediate(() => setImmediate(() => this.end()));
    this.members.add(member);
    this.delivered.websocket += 1;
    let known = this.known.get(batch);
    if (known === undefined) this.known.set(batch, (known = []));
    return (known[index] ??= this.places.push({ batch, index }) - 1);
  }

  /**
   * The frames of some events.
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
