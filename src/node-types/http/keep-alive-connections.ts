import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { buildConnector, DiagnosticsChannel } from 'undici';
import { EffectHeldError } from '../../instances/index.js';

/** Diagnostics channel of undici, which emits an event before the first byte of a request is sent. */
const SENDING = 'undici:client:sendHeaders';

interface ConnectionUse {
  requests: number;
  /** Number of response bytes that the connection had received when the last request on the connection was sent. */
  bytesRead: number;
}

/** Counts the requests on each connection, and finds the connection on which an error occurred. */
export class KeepAliveConnections {
  private readonly uses = new WeakMap<Socket, ConnectionUse>();
  private readonly socketOfError = new WeakMap<Error, Socket>();
  private readonly onSend = (message: unknown): void => {
    const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
    const known = this.uses.get(socket);
    if (known === undefined) return;
    this.uses.set(socket, { requests: known.requests + 1, bytesRead: socket.bytesRead });
    // While the request waited for a connection, the process may have lost the leases of its executions. The request
    // must not be sent in this case.
    if (!this.maySend())
      socket.destroy(
        new EffectHeldError(
          'The request was not sent, because this process may have lost its lease of the execution.',
        ),
      );
  };

  /**
   * @param maySend called right before the first byte of a request; if it returns false, the connection is closed
   * instead
   */
  constructor(private readonly maySend: () => boolean) {
    subscribe(SENDING, this.onSend);
  }

  trackConnections(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...outcome) => {
        const [error, socket] = outcome;
        if (error === null) {
          this.uses.set(socket, { requests: 0, bytesRead: 0 });
          socket.on('error', (failure: Error) => this.socketOfError.set(failure, socket));
        }
        callback(...outcome);
      });
  }

  /** Whether an error means that the server closed a reused connection before the first byte of the response. */
  wasClosedIdle(error: unknown): boolean {
    const socket = error instanceof Error ? this.socketOfError.get(error) : undefined;
    const uses = socket && this.uses.get(socket);
    return uses !== undefined && uses.requests > 1 && socket?.bytesRead === uses.bytesRead;
  }

  stop(): void {
    unsubscribe(SENDING, this.onSend);
  }
}
