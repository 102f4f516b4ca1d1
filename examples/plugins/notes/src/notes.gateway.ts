import type { IncomingMessage } from 'node:http';
import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import {
  ConnectedSocket,
  type OnGatewayConnection,
  SubscribeMessage,
  WebSocketGateway,
  WsException,
} from '@nestjs/websockets';
import { KeyAuthenticator, type Principal, RequestAddress } from 'workflow-service/module';
import { NotesService } from './notes.service.js';

/** Authenticates each socket by the key of its upgrade request. */
@Injectable()
export class NoteReaders {
  private readonly principals = new WeakMap<object, Promise<Principal | null>>();

  constructor(
    private readonly keys: KeyAuthenticator,
    private readonly addresses: RequestAddress,
  ) {}

  opened(socket: object, request: IncomingMessage): void {
    const secret = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const found = this.keys.authenticate(secret, this.addresses.of(request)).catch(() => null);
    this.principals.set(socket, found);
  }

  async of(socket: object): Promise<Principal | null> {
    return (await this.principals.get(socket)) ?? null;
  }
}

/** Refuses messages of a socket that was opened without a valid API key. */
@Injectable()
export class NoteReaderGuard implements CanActivate {
  constructor(private readonly readers: NoteReaders) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const principal = await this.readers.of(context.switchToWs().getClient<object>());
    if (principal === null)
      throw new WsException('Open this socket with an API key in the Authorization header.');
    return true;
  }
}

/** `/notes`: answers `{"event":"notes.count"}` with the number of notes. */
@WebSocketGateway({ path: '/notes' })
@UseGuards(NoteReaderGuard)
export class NotesGateway implements OnGatewayConnection<object> {
  constructor(
    private readonly notes: NotesService,
    private readonly readers: NoteReaders,
  ) {}

  handleConnection(socket: object, request: IncomingMessage): void {
    this.readers.opened(socket, request);
  }

  @SubscribeMessage('notes.count')
  async count(@ConnectedSocket() socket: object): Promise<{ readonly event: string; readonly data: number }> {
    const principal = await this.readers.of(socket);
    return { event: 'notes.count', data: principal === null ? 0 : await this.notes.count(principal) };
  }
}
