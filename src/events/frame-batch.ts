import { type Batch, envelopeText } from '../journal/index.ts';

/** First byte of a WebSocket text frame: FIN bit and opcode (RFC 6455, section 5.2). */
const TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A socket to which a `FrameBatch` writes the frames of events. */
export interface FrameBatchMember {
  /** Returns whether the socket accepts frames: false if it is closed or too slow. Closes a socket that is too slow. */
  isReady(): boolean;
  write(frames: Buffer): void;
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
  private events: BatchedEvent[] = [];
  /** Numbers of the collected events, by journal batch. An event number is the index of an event in `events`. */
  private numbers = new Map<Batch, number[]>();
  private joined = new Map<string, Buffer>();
  /**
   * Numbers of the events that each socket has not sent yet, as ranges in sending order in one flat list: start, end
   * (exclusive), start, end.
   */
  private shares = new Map<FrameBatchMember, number[]>();

  /** @param delivered counts the events passed to sockets */
  constructor(private readonly delivered: { websocket: number }) {}

  /** Adds an event for a socket, which receives the frame of the event after two turns of the event loop. */
  add(batch: Batch, index: number, member: FrameBatchMember): void {
    // Writing frames blocks the event loop, so the flush waits for two turns. Executions that waited for the same
    // commit continue first, and their next commit reaches the disk while frames are written.
    if (this.events.length === 0) setImmediate(() => setImmediate(() => this.end()));
    this.delivered.websocket += 1;
    const number = this.numberOf(batch, index);
    const share = this.shares.get(member);
    if (share === undefined) this.shares.set(member, [number, number + 1]);
    else if (share.at(-1) === number) share[share.length - 1] = number + 1;
    else share.push(number, number + 1);
  }

  /** Writes the events of a socket now. */
  flush(member: FrameBatchMember): void {
    const share = this.shares.get(member);
    if (share === undefined) return;
    this.shares.delete(member);
    if (member.isReady()) member.write(this.framesOf(share));
  }

  /** Discards the events that a socket has not sent yet. */
  discard(member: FrameBatchMember): void {
    this.shares.delete(member);
  }

  private numberOf(batch: Batch, index: number): number {
    let numbers = this.numbers.get(batch);
    if (numbers === undefined) this.numbers.set(batch, (numbers = []));
    return (numbers[index] ??= this.events.push({ batch, index }) - 1);
  }

  /** Returns the WebSocket frames of the events with the given numbers, joined into one buffer. */
  private framesOf(share: readonly number[]): Buffer {
    const key = share.join();
    let frames = this.joined.get(key);
    if (frames === undefined) this.joined.set(key, (frames = this.join(share)));
    return frames;
  }

  private join(share: readonly number[]): Buffer {
    const frames: Buffer[] = [];
    for (let at = 0; at < share.length; at += 2)
      for (const { batch, index } of this.events.slice(share[at], share[at + 1]))
        frames.push(eventFrame(batch, index));
    const [only] = frames;
    return frames.length === 1 && only !== undefined ? only : Buffer.concat(frames);
  }

  private end(): void {
    for (const member of this.shares.keys()) this.flush(member);
    this.events = [];
    this.numbers = new Map();
    this.joined = new Map();
    this.shares = new Map();
  }
}

/** Frames of events that sockets have sent, by batch. */
const encoded = new WeakMap<Batch, Buffer[]>();

/** Returns the WebSocket frame of an event. The frame is encoded once and shared by all sockets. */
export function eventFrame(batch: Batch, index: number): Buffer {
  let made = encoded.get(batch);
  if (made === undefined) encoded.set(batch, (made = []));
  return (made[index] ??= textFrame(envelopeText(batch, index)));
}

/**
 * Encodes a text as an unmasked, uncompressed WebSocket frame of a server. All sockets share the encoded frame, whereas
 * `ws` would encode the same message once for each socket.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length < LENGTH_16 ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = TEXT;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = LENGTH_16;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_64;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}
