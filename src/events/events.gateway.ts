import type { IncomingMessage } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Logger } from '@nestjs/common';
import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { AddressRanges, type Principal, requestAddress } from '../access/index.js';
import { CLOCK, type Clock, newId } from '../platform/index.js';
import { countAsAuthenticated } from '../http/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import { Connection, type ConnectionServices } from './connection.js';
import { EventAccess } from './event-access.js';
import { Feeds } from './feeds.js';
import { Heartbeat } from './heartbeat.js';
import { OpenStreams } from './open-streams.js';
import { reconnectDelay } from './reconnect-delay.js';
import { SOCKET_LIMITS, type SocketLimits } from './socket-limits.js';
import { SocketLink } from './socket-link.js';
import { StreamFigures } from './stream-figures.js';
import { FrameBatch } from './frame-batch.ts';

/** Maximum size of a client message in bytes. A larger message closes the socket with code 1009. */
const MAX_MESSAGE_BYTES = 65_536;

/** The `/ws` gateway: creates a `Connection` for each socket. */
@WebSocketGateway({ path: '/ws', maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
export class EventsGateway implements OnGatewayConnection<WebSocket>, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventsGateway.name);
  private readonly connections = new Map<Connection, Promise<void>>();
  private readonly frames: FrameBatch;
  private readonly heartbeat: Heartbeat;
  private readonly services: ConnectionServices;
  private readonly trustedProxies: AddressRanges;
  private stopping = false;

  constructor(
    access: EventAccess,
    feeds: Feeds,
    streams: OpenStreams,
    figures: StreamFigures,
    @Inject(CLOCK) clock: Clock,
    @Inject(SOCKET_LIMITS) limits: SocketLimits,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const report = (error: unknown): void => this.logger.error({ err: error }, 'A socket failed.');
    this.services = { access, feeds, streams, figures, clock, limits, report };
    this.frames = new FrameBatch(figures.delivered);
    this.heartbeat = new Heartbeat(limits.heartbeatMs);
    this.trustedProxies = AddressRanges.of(settings.TRUSTED_PROXIES);
  }

  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    const link = new SocketLink(socket, request.socket, this.frames, this.services.limits, () =>
      connection.tooSlow(),
    );
    const address = requestAddress(request, this.trustedProxies);
    const signedIn = (): Promise<Principal> => this.services.access.admitSignedIn(request, address);
    const admitted = (): void => countAsAuthenticated(request.socket);
    const connection = new Connection(newId(), { address, signedIn, admitted }, link, this.services);
    const gone = new Promise<void>((resolve) => {
      socket.on('close', () => {
        connection.close();
        this.heartbeat.remove(link);
        this.connections.delete(connection);
        resolve();
      });
    });
    this.connections.set(connection, gone);
    this.heartbeat.add(link);
    socket.on('message', (data: Buffer, isBinary) => {
      this.heartbeat.resetMisses(link);
      connection.receive(data, isBinary);
    });
    socket.on('ping', () => connection.isWithinRate());
    socket.on('pong', () => this.heartbeat.resetMisses(link));
    if (this.stopping) connection.restart(reconnectDelay(0));
  }

  /** Asks every client to reconnect. Each client gets a different delay, so that they do not all reconnect at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const gone = [...this.connections.values()];
    [...this.connections.keys()].forEach((connection, index) => connection.restart(reconnectDelay(index)));
    await Promise.all(gone);
  }
}
