import type { Batch } from '../journal/index.ts';
import { eventFrame } from './frame.ts';

/** A socket that adds events to a `FrameBatch` and writes their frames when the frame batch is flushed. */
export interface FrameBatchMember {
  flush(): void;
}

interface BatchedEvent {
  readonly batch: Batch;
  readonly index: number;
}

/**
 * Collects the events that all sockets send until the next flush. Each socket then sends its events in a single write.
 * Joined frames are cached, because many sockets send the same events.
 */
export class FrameBatch {
  private places: BatchedEvent[] = [];
  /** Slot numbers of the collected events, by journal batch. A slot number is the index of an event in `places`. */
  private known = new Map<Batch, number[]>();
  private joined = new Map<string, Buffer>();
  private members = new Set<FrameBatchMember>();

  /** @param delivered counts the events passed to sockets */
  constructor(private readonly delivered: { websocket: number }) {}

  /**
   * Adds an event and returns its slot number. After two turns of the event loop, the socket `member` writes its
   * frames.
   */
  place(batch: Batch, index: number, member: FrameBatchMember): number {
    // Writing frames blocks the event loop, so the flush waits for two turns. Executions that waited for the same
    // commit continue first, and their next commit reaches the disk while frames are written.
    if (this.members.size === 0) setImmediate(() => setImmediate(() => this.end()));
    this.members.add(member);
    this.delivered.websocket += 1;
    let known = this.known.get(batch);
    if (known === undefined) this.known.set(batch, (known = []));
    return (known[index] ??= this.places.push({ batch, index }) - 1);
  }

  /**
   * Returns the WebSocket frames of the events in the given slots, joined into one buffer.
   * @param share ascending ranges of slot numbers in one flat list: start, end (exclusive), start, end
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
