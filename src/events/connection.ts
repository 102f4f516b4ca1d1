import type { Principal } from '../access/index.js';
import { type Cursor, encodeCursor } from '../journal/index.js';
import type { Clock } from '../platform/index.js';
import { type EventAccess, viewFilterOf } from './event-access.js';
import type { FeedReader } from './feed-reader.js';
import type { ReplayStart, Feeds } from './feeds.js';
import { MessagePace } from './message-pace.js';
import { type OpenStreams, TooManyStreamsError } from './open-streams.js';
import type { StreamFigures } from './stream-figures.js';
import type { FeedSink } from './replay.js';
import { SocketFault, toSocketFault } from './socket-fault.js';
import type { SocketLimits } from './socket-limits.js';
import type { SocketLink } from './socket-link.js';
import { type ClientMessage, errorMessage, readFirstMessage, readJson, readMessage } from './wire.js';

export interface ConnectionServices {
  readonly access: EventAccess;
  readonly feeds: Feeds;
  readonly streams: OpenStreams;
  readonly figures: StreamFigures;
  readonly clock: Clock;
  readonly limits: SocketLimits;
  /** Logs an error of the service, such as a database error. Errors that the client caused are not logged. */
  readonly report: (error: unknown) => void;
}

/** Describes the client of a WebSocket, from the HTTP upgrade request that opened the socket. */
export interface ClientHandshake {
  /** IP address of the client itself, even if a trusted proxy forwards the connection. */
  readonly address: string;
  /**
   * Authenticates the client by the dashboard's cookie in the upgrade request. Each call checks the cookie again.
   * @throws SocketFault if there is no valid cookie.
   */
  readonly signedIn: () => Promise<Principal>;
  /** Must be called when the client has authenticated. The socket then no longer counts as unauthenticated. */
  readonly admitted: () => void;
}

/** An authenticated client, and the `FeedReader` that sends events to the client. */
interface Session {
  readonly principal: Principal;
  readonly reader: FeedReader;
}

/** Handles one client socket: authentication, subscriptions, message rate and close. */
export class Connection {
  private readonly pace: MessagePace;
  private readonly deadline: NodeJS.Timeout;
  /** Resolves when all messages received so far are handled, one at a time in order of arrival. */
  private work: Promise<void> = Promise.resolve();
  private session: Session | undefined;
  private unregister: () => void = () => undefined;
  private closed = false;
  private signInCheck: NodeJS.Timeout | undefined;
  /** Ids of the subscriptions that still wait for the message `replay.complete`. */
  private readonly replaying = new Set<string>();

  /** @param id connection id, which `auth.success` reports to the client */
  constructor(
    private readonly id: string,
    private readonly handshake: ClientHandshake,
    private readonly link: SocketLink,
    private readonly services: ConnectionServices,
  ) {
    const { limits, clock } = services;
    this.pace = new MessagePace(limits.messagesPerSecond, limits.messageBurst, clock.now());
    this.deadline = setTimeout(
      () => this.fail(new SocketFault('auth_timeout')),
      limits.authDeadlineMs,
    ).unref();
  }

  receive(data: Buffer, isBinary: boolean): void {
    if (!this.isWithinRate()) return;
    this.work = this.work
      .then(() => (this.closed ? undefined : this.handle(data, isBinary)))
      .catch((error: unknown) => this.refuse(error));
  }

  /** Counts a WebSocket frame from the client. Above the message rate, closes the connection and returns false. */
  isWithinRate(): boolean {
    if (this.closed) return false;
    if (this.pace.take(this.services.clock.now())) return true;
    this.fail(new SocketFault('too_many_messages'));
    return false;
  }

  tooSlow(): void {
    if (!this.closed) this.services.figures.slowReadersClosed += 1;
    this.fail(new SocketFault('slow_reader'));
  }

  restart(afterMs: number): void {
    if (this.closed) return;
    this.close();
    this.link.restart(afterMs);
  }

  /**
   * Stops the timers and the reader. The socket then no longer counts towards the limit of its key. The
   * caller must close the socket itself.
   */
  close(): void {
    this.closed = true;
    clearTimeout(this.deadline);
    clearInterval(this.signInCheck);
    this.session?.reader.close();
    this.unregister();
  }

  private async handle(data: Buffer, isBinary: boolean): Promise<void> {
    if (isBinary) throw new SocketFault('malformed_message');
    const raw = readJson(data.toString());
    if (this.session === undefined) {
      if (raw.type !== 'auth') throw new SocketFault('not_authenticated');
      const message = readFirstMessage(raw);
      if (message.type === 'auth') await this.authenticate(message);
      return;
    }
    if (raw.type === 'auth') throw new SocketFault('already_authenticated');
    await this.respond(readMessage(raw), this.session);
  }

  private async authenticate({
    token,
    resumeFrom,
  }: ClientMessage & { readonly type: 'auth' }): Promise<void> {
    clearTimeout(this.deadline);
    const { access, feeds, streams } = this.services;
    const { address, signedIn, admitted } = this.handshake;
    const principal = await (token === undefined ? signedIn() : access.admit(token, address));
    admitted();
    const start = await feeds.replayStart(resumeFrom);
    if (this.closed) return;
    this.unregister = registerStream(streams, principal, 'websocket', (reason) =>
      this.fail(new SocketFault(reason)),
    );
    if (token === undefined) this.watchSignIn(signedIn);
    else if (principal.view !== undefined && principal.keyId === null)
      this.watchSignIn(() => access.admit(token, address));
    await feeds.open(principal, this.sink(), (reader) => {
      if (this.closed) return;
      this.session = { principal, reader };
      this.sendAuthSuccess(start);
      reader.add(null, viewFilterOf(principal), start.after);
    });
  }

  /**
   * Checks periodically whether a client that authenticated by cookie is still signed in, because no notification
   * reports a sign-out. For API keys, `KeyRevocations` notifies the connection.
   */
  private watchSignIn(check: () => Promise<unknown>): void {
    this.signInCheck = setInterval(() => {
      check().catch((error: unknown) => {
        if (error instanceof SocketFault) this.fail(new SocketFault('access_ended'));
        else this.services.report(error);
      });
    }, this.services.limits.signInCheckMs).unref();
  }

  private sendAuthSuccess(start: ReplayStart): void {
    this.link.message({
      type: 'auth.success',
      connection_id: this.id,
      cursor: encodeCursor(start.after),
      heartbeat_interval_ms: this.services.limits.heartbeatMs,
    });
    this.sendResumeFailed(start);
  }

  private async respond(message: ClientMessage, session: Session): Promise<void> {
    switch (message.type) {
      case 'subscribe':
        return this.subscribe(message, session);
      case 'unsubscribe':
        if (!session.reader.remove(message.id)) throw new SocketFault('unknown_subscription');
        this.replaying.delete(message.id);
        return this.link.message({ type: 'unsubscribed', id: message.id });
      case 'ping':
        return this.link.message({ type: 'pong' });
      case 'auth':
        throw new SocketFault('already_authenticated');
    }
  }

  private async subscribe(
    message: ClientMessage & { readonly type: 'subscribe' },
    session: Session,
  ): Promise<void> {
    const { id, filter, after } = message;
    const { reader, principal } = session;
    if (reader.has(id)) throw new SocketFault('duplicate_subscription');
    if (!reader.has(null) && reader.size >= this.services.limits.subscriptionsPerConnection)
      throw new SocketFault('too_many_subscriptions');
    const projectId = await this.services.access.projectOf(principal, filter);
    const start = await this.services.feeds.replayStart(after);
    if (this.closed) return;
    reader.remove(null);
    this.link.message({ type: 'subscribed', id, cursor: encodeCursor(start.after) });
    this.sendResumeFailed(start, id);
    if (after !== undefined && start.refused === undefined) this.replaying.add(id);
    reader.add(id, { ...filter, ...viewFilterOf(principal) }, start.after, projectId);
  }

  private sendResumeFailed({ refused }: ReplayStart, id?: string): void {
    if (refused === undefined) return;
    const { reason, oldestCursor } = refused;
    this.link.message({
      type: 'resume.failed',
      ...(id !== undefined && { id }),
      reason,
      oldest_cursor: oldestCursor,
    });
  }

  private sink(): FeedSink {
    return {
      event: this.link.event,
      drained: () => this.link.drained(),
      caughtUp: (id, cursor) => this.sendReplayComplete(id, cursor),
      failed: (error) => this.refuse(error),
    };
  }

  private sendReplayComplete(id: string | null, cursor: Cursor): void {
    if (id !== null && this.replaying.delete(id))
      this.link.message({ type: 'replay.complete', id, cursor: encodeCursor(cursor) });
  }

  /** Sends an error message to the client. Closes the socket if the error code has a close code. */
  private refuse(error: unknown): void {
    const fault = toSocketFault(error);
    if (fault.code === 'server_fault') this.services.report(error);
    if (this.closed) return;
    if (fault.closeCode === null) this.link.message(errorMessage(fault));
    else this.fail(fault);
  }

  private fail(fault: SocketFault): void {
    if (this.closed) return;
    this.close();
    this.link.fail(fault);
  }
}

function registerStream(streams: OpenStreams, ...registration: Parameters<OpenStreams['enter']>): () => void {
  try {
    return streams.enter(...registration);
  } catch (error) {
    throw error instanceof TooManyStreamsError ? new SocketFault('too_many_connections') : error;
  }
}
