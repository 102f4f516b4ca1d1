import type { Batch } from '../journal/index.js';
import { eventFrame } from './frame.js';

/** Something that collects events and writes their frames when told to. */
export interface TurnMember {
  flush(): void;
}

interface Place {
  readonly batch: Batch;
  readonly index: number;
}

/**
 * The events of one turn of the event loop. A commit brings many at once; each socket gets its share of them in a
 * single write, and sockets that get the same share write the same bytes, joined once.
 */
export class Turn {
  private places: Place[] = [];
  /** Where the events of a batch are among the places. */
  private known = new Map<Batch, number[]>();
  private joined = new Map<string, Buffer>();
  private members = new Set<TurnMember>();

  /** @param delivered counts the events that members take */
  constructor(private readonly delivered: { websocket: number }) {}

  /** The event's place among those of this turn; the member is flushed when the turn ends. */
  place(batch: Batch, index: number, member: TurnMember): number {
    // Frames take as long as the deciding they tell of. Once more around the loop, and what the commit was waited for
    // goes on first: its next commit is then on its way to the disk meanwhile.
    if (this.members.size === 0) setImmediate(() => setImmediate(() => this.end()));
    this.members.add(member);
    this.delivered.websocket += 1;
    let known = this.known.get(batch);
    if (known === undefined) this.known.set(batch, (known = []));
    return (known[index] ??= this.places.push({ batch, index }) - 1);
  }

  /** @param share places in ascending runs: first and end (exclusive) of each, one after the other */
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
