/** Something that collects frames and writes them when told to. */
export interface TurnMember {
  flush(): void;
}

/**
 * The event frames of one turn of the event loop. A commit brings many events at once; each socket gets its
 * share of them in a single write, and sockets that get the same share write the same bytes, joined once.
 */
export class Turn {
  private places = new Map<Buffer, number>();
  private frames: Buffer[] = [];
  private joined = new Map<string, Buffer>();
  private members = new Set<TurnMember>();

  /** The frame's place among the frames of this turn; the member is flushed when the turn ends. */
  place(frame: Buffer, member: TurnMember): number {
    if (this.members.size === 0) setImmediate(() => this.end());
    this.members.add(member);
    let place = this.places.get(frame);
    if (place === undefined) {
      place = this.frames.push(frame) - 1;
      this.places.set(frame, place);
    }
    return place;
  }

  /** @param share places in ascending runs: first and end (exclusive) of each, one after the other */
  bytes(share: readonly number[]): Buffer {
    const key = share.join();
    let bytes = this.joined.get(key);
    if (bytes === undefined) this.joined.set(key, (bytes = this.join(share)));
    return bytes;
  }

  private join(share: readonly number[]): Buffer {
    const parts: Buffer[] = [];
    for (let index = 0; index < share.length; index += 2)
      parts.push(...this.frames.slice(share[index], share[index + 1]));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  private end(): void {
    for (const member of this.members) member.flush();
    this.places = new Map();
    this.frames = [];
    this.joined = new Map();
    this.members = new Set();
  }
}
