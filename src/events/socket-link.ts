import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Batch } from '../journal/index.js';
import { SocketFault } from './socket-fault.js';
import type { SocketLimits } from './socket-limits.js';
import type { Turn, TurnMember } from './turn.js';
import { errorMessage, type ServerMessage } from './wire.js';

/** Close code of a restart (RFC 6455 registry). */
const SERVICE_RESTART = 1012;

/**
 * The sending side of one socket. Events go to the raw stream as finished frames, everything else through
 * `ws`; both write whole frames synchronously and compression is off, so they cannot mix.
 */
export class SocketLink implements TurnMember {
  /** Runs of places in the present turn: first, end, first, end... */
  private share: number[] = [];

  /**
   * @param stream the connection beneath the socket
   * @param onSlow called once the reader leaves too much unread
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
    private readonly turn: Turn,
    private readonly limits: Pick<SocketLimits, 'sendBufferBytes' | 'closeMs'>,
    private readonly onSlow: () => void,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  event(batch: Batch, index: number): void {
    if (!this.isOpen) return;
    const place = this.turn.place(batch, index, this);
    if (this.share.at(-1) === place) this.share[this.share.length - 1] = place + 1;
    else this.share.push(place, place + 1);
  }

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

  /** Resolves when the reader has room, or is gone. */
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

  /** Says why, then closes. What waits to be sent to a slow reader is dropped. */
  fail(fault: SocketFault): void {
    if (fault.code === 'slow_reader') this.share = [];
    else this.flush();
    if (!this.isOpen) return;
    this.socket.send(JSON.stringify(errorMessage(fault)));
    this.close(fault.closeCode ?? 1000, fault.code);
  }

  /** Asks the client to come back, then closes. */
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
    // A peer that reads nothing never answers the close.
    const timer = setTimeout(() => this.socket.terminate(), this.limits.closeMs);
    this.stream.once('close', () => clearTimeout(timer));
  }

  private checkPace(): boolean {
    if (this.stream.writableLength <= this.limits.sendBufferBytes) return true;
    this.onSlow();
    return false;
  }
}
