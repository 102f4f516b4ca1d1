import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { buildConnector, DiagnosticsChannel } from 'undici';
import { EffectHeldError } from '../../instances/index.js';

/** Published right before the first byte of a request; the only event that names its connection. */
const SENDING = 'undici:client:sendHeaders';

/** Usage of a connection. */
interface Uses {
  requests: number;
  /** Total response bytes when the last request was sent. */
  bytesRead: number;
}

/** Tracks the usage of connections, and which connection an error belongs to. */
export class KeptConnections {
  private readonly uses = new WeakMap<Socket, Uses>();
  private readonly failed = new WeakMap<Error, Socket>();
  private readonly sending = (message: unknown): void => {
    const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
    const known = this.uses.get(socket);
    if (known === undefined) return;
    this.uses.set(socket, { requests: known.requests + 1, bytesRead: socket.bytesRead });
    // The process may have been suspended while the request waited for its connection.
    if (!this.maySend()) socket.destroy(new EffectHeldError('The request is held back.'));
  };

  /** @param maySend called right before the first byte of a request; if false, the connection is closed instead */
  constructor(private readonly maySend: () => boolean) {
    subscribe(SENDING, this.sending);
  }

  /** Wraps a connector to track its connections. */
  watching(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...outcome) => {
        const [error, socket] = outcome;
        if (error === null) {
          this.uses.set(socket, { requests: 0, bytesRead: 0 });
          socket.on('error', (failure: Error) => this.failed.set(failure, socket));
        }
        callback(...outcome);
      });
  }

  /**
   * Returns true if a request failed because its reused connection closed before any byte of the response. Servers that
   * close idle connections cause this while a request is in flight.
   */
  wasClosedIdle(error: unknown): boolean {
    const socket = error instanceof Error ? this.failed.get(error) : undefined;
    const uses = socket && this.uses.get(socket);
    return uses !== undefined && uses.requests > 1 && socket?.bytesRead === uses.bytesRead;
  }

  stop(): void {
    unsubscribe(SENDING, this.sending);
  }
}
