import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Batch } from '../journal/index.js';
import { SocketFault } from './socket-fault.js';
import type { SocketLimits } from './socket-limits.js';
import type { FrameBatch, FrameBatchMember } from './frame-batch.ts';
import { errorMessage, type ServerMessage } from './wire.js';

/** WebSocket close code 1012, `Service Restart`, from the IANA registry. */
const SERVICE_RESTART = 1012;

/**
 * Sends data to one WebSocket. Frames of events are written directly to the network stream; `ws` sends all other
 * messages. The two writers cannot interleave, because each write consists of complete frames.
 */
export class SocketLink implements FrameBatchMember {
  /**
   * Slot numbers of the events that this socket sends at the next flush of the frame batch, as a flat list of ranges:
   * start, end (exclusive), start, end.
   */
  private share: number[] = [];

  /**
   * @param stream network connection of the socket
   * @param onSlow called when the socket has too many unsent bytes
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
    private readonly turn: FrameBatch,
    private readonly limits: Pick<SocketLimits, 'sendBufferBytes' | 'closeMs'>,
    private readonly onSlow: () => void,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sends an event with the next flush. An arrow function, so that a `FeedSink` can contain it. */
  readonly event = (batch: Batch, index: number): void => {
    if (!this.isOpen) return;
    const place = this.turn.place(batch, index, this);
    if (this.share.at(-1) === place) this.share[this.share.length - 1] = place + 1;
    else this.share.push(place, place + 1);
  };

  message(message: ServerMessage): void {
    this.flush();
    if (!this.isOpen) return;
    this.socket.send(JSON.stringify(message));
    this.checkPace();
  }

  flush(): void {
    if (this.share.length === 0) return;
    const { share } = this;
    this.share = [];
    if (!this.isOpen || !this.checkPace()) return;
    this.stream.write(this.turn.bytes(share));
  }

  /** Resolves when the client can accept more events, or has disconnected. */
  async drained(): Promise<void> {
    this.flush();
    if (!this.isOpen || !this.stream.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.stream.off('drain', done).off('close', done);
        resolve();
      };
      this.stream.on('drain', done).on('close', done);
    });
  }

  /**
   * Sends an error to the client and closes the socket. For the error `slow_reader`, drops the events that are not sent
   * yet.
   */
  fail(fault: SocketFault): void {
    if (fault.code === 'slow_reader') this.share = [];
    else this.flush();
    if (!this.isOpen) return;
    this.socket.send(JSON.stringify(errorMessage(fault)));
    this.close(fault.closeCode ?? 1000, fault.code);
  }

  /** Asks the client to reconnect after `afterMs` milliseconds, and closes the socket. */
  restart(afterMs: number): void {
    this.message({ type: 'reconnect', after_ms: afterMs });
    if (this.isOpen) this.close(SERVICE_RESTART, 'restart');
  }

  ping(): void {
    if (this.isOpen) this.socket.ping();
  }

  terminate(): void {
    this.socket.terminate();
  }

  private close(code: number, reason: string): void {
    this.socket.close(code, reason);
    // A client that does not read never completes the close handshake, so its connection is terminated after a timeout.
    const timer = setTimeout(() => this.socket.terminate(), this.limits.closeMs);
    this.stream.once('close', () => clearTimeout(timer));
  }

  private checkPace(): boolean {
    if (this.stream.writableLength <= this.limits.sendBufferBytes) return true;
    this.onSlow();
    return false;
  }
}
