import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { buildConnector, DiagnosticsChannel } from 'undici';
import { EffectHeldError } from '../../instances/index.js';

/** Told right before the first byte of a request; the one place that says which connection it takes. */
const SENDING = 'undici:client:sendHeaders';

/** What a connection was used for. */
interface Uses {
  requests: number;
  /** Of all answers, when the last request was sent. */
  bytesRead: number;
}

/** Remembers what connections were used for, and which of them a failure came from. */
export class KeptConnections {
  private readonly uses = new WeakMap<Socket, Uses>();
  private readonly failed = new WeakMap<Error, Socket>();
  private readonly sending = (message: unknown): void => {
    const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage;
    const known = this.uses.get(socket);
    if (known === undefined) return;
    this.uses.set(socket, { requests: known.requests + 1, bytesRead: socket.bytesRead });
    // A request may have waited for its connection while the process was suspended.
    if (!this.maySend()) socket.destroy(new EffectHeldError('The request is held back.'));
  };

  /** @param maySend asked right before the first byte of a request; a connection that may not is closed instead */
  constructor(private readonly maySend: () => boolean) {
    subscribe(SENDING, this.sending);
  }

  /** The connector, whose connections are remembered from now on. */
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
   * Whether a request failed because its connection, which had served another one before, ended without a byte of an
   * answer: a server that closes what is idle does so while the next request is on its way.
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
