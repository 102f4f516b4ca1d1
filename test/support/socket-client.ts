import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

export type SocketMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** A WebSocket client of `/ws`. It stores all received messages and can wait for a message. */
export class SocketClient {
  private static readonly opened = new Set<SocketClient>();

  readonly received: SocketMessage[] = [];
  readonly texts: string[] = [];
  closeCode: number | undefined;
  private readonly waiting: (() => void)[] = [];

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.texts.push(data.toString());
      this.received.push(JSON.parse(data.toString()) as SocketMessage);
      this.wake();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.wake();
    });
    socket.on('error', () => this.wake());
  }

  static async open(
    host: string,
    headers: Readonly<Record<string, string>> = {},
    path = '/ws',
  ): Promise<SocketClient> {
    const socket = new WebSocket(`ws://${host}${path}`, { headers: { ...headers } });
    const client = new SocketClient(socket);
    SocketClient.opened.add(client);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return client;
  }

  /** Opens a connection and authenticates it with an API key. The field `received` contains the reply. */
  static async authenticated(host: string, token: string, resumeFrom?: string): Promise<SocketClient> {
    const client = await SocketClient.open(host);
    client.send({ type: 'auth', token, ...(resumeFrom !== undefined && { resume_from: resumeFrom }) });
    await client.next('auth.success');
    return client;
  }

  /** Closes the connections of all clients in this process. */
  static cutAll(): void {
    for (const client of SocketClient.opened) client.socket.terminate();
    SocketClient.opened.clear();
  }

  get events(): readonly SocketMessage[] {
    return this.received.filter((message) => 'sequence' in message);
  }

  send(message: unknown): void {
    this.socket.send(
      typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
    );
  }

  /** Returns the first received message of a type. Waits for it if it has not arrived yet. */
  async next(type: string): Promise<SocketMessage> {
    return this.until(() => this.received.find((message) => message.type === type));
  }

  /**
   * Waits until the connection is closed.
   * @returns the close code, and the code and type of the last `error` message
   */
  async ending(): Promise<{ readonly code: unknown; readonly type: unknown; readonly close: number }> {
    const close = await this.until(() => this.closeCode);
    const error = this.received.findLast((message) => message.type === 'error')?.['error'] as
      SocketMessage | undefined;
    return { code: error?.['code'], type: error?.type, close };
  }

  async until<T>(find: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      if (this.socket.readyState === WebSocket.CLOSED && this.closeCode !== undefined) {
        const last = find();
        if (last !== undefined && last !== false) return last;
        throw new Error(
          `The socket closed with the code ${this.closeCode}. The last messages are: ${this.texts.slice(-3).join(' ')}`,
        );
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** Closes the TCP connection without a close frame of the WebSocket protocol. */
  cut(): void {
    this.tcp.destroy();
  }

  /** Stops reading from the connection, to simulate a slow client. */
  stall(): void {
    this.tcp.pause();
  }

  resume(): void {
    this.tcp.resume();
  }

  private get tcp(): Socket {
    return (this.socket as unknown as { readonly _socket: Socket })._socket;
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
