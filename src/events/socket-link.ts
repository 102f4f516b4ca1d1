import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { drained } from '../platform/index.js';
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
   * @param stream network connection of the socket
   * @param onSlow called when the socket has too many unsent bytes
   */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
    private readonly frames: FrameBatch,
    private readonly limits: Pick<SocketLimits, 'sendBufferBytes' | 'closeMs'>,
    private readonly onSlow: () => void,
  ) {}

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sends an event with the next flush. It is an arrow function, so that `Connection.sink` can pass it without binding. */
  readonly event = (batch: Batch, index: number): void => {
    if (this.isOpen) this.frames.add(batch, index, this);
  };

  message(message: ServerMessage): void {
    this.frames.flush(this);
    if (!this.isOpen) return;
    this.socket.send(JSON.stringify(message));
    this.checkPace();
  }

  isReady(): boolean {
    return this.isOpen && this.checkPace();
  }

  write(frames: Buffer): void {
    this.stream.write(frames);
  }

  /** Resolves when the client can accept more events, or has disconnected. */
  async drained(): Promise<void> {
    this.frames.flush(this);
    if (!this.isOpen || !this.stream.writableNeedDrain) return;
    await drained(this.stream);
  }

  /**
   * Sends an error to the client and closes the socket. For the error `slow_reader`, drops the events that are not sent
   * yet.
   */
  fail(fault: SocketFault): void {
    if (fault.code === 'slow_reader') this.frames.discard(this);
    else this.frames.flush(this);
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
