import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { DatabaseSettings } from '../../src/settings/index.js';

/** The error 57P01, which PostgreSQL sends before it closes a connection on the command of an administrator. */
const FAREWELL = ((fields: string) => {
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
})('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
/** The message ReadyForQuery, with which PostgreSQL ends a reply: the byte `Z`, the length 5, and the status idle. */
const READY = Buffer.from('Z\0\0\0\x05I');

const PORTS: Readonly<Record<string, number>> = { 'redis:': 6379 };
const POSTGRES_PORT = 5432;

/** A TCP proxy between the service and PostgreSQL or Redis. Tests can cut and restore its connections. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private deafAt: string | null = null;
  private deaf = false;
  private isParting = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async to(database: DatabaseSettings): Promise<Wire> {
    if (database.dialect !== 'postgres')
      throw new Error('A network proxy needs a PostgreSQL server, but the database is SQLite.');
    return Wire.toServer(database.url);
  }

  /** @param url URL of PostgreSQL or Redis */
  static async toServer(url: string): Promise<Wire> {
    const server = createServer();
    const target = new URL(url);
    const usual = PORTS[target.protocol] ?? POSTGRES_PORT;
    const wire = new Wire(server, target);
    server.on('connection', (client) =>
      wire.join(client, connect(Number(target.port === '' ? usual : target.port), target.hostname)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  /** Database settings with which a service connects through this proxy. */
  get settings(): DatabaseSettings {
    return { dialect: 'postgres', url: this.url };
  }

  /** URL of the server through this proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.toString();
  }

  cut(): void {
    this.isCut = true;
    this.drop();
  }

  /** Closes all current connections. New connections are still accepted. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
    this.deafAt = null;
    this.deaf = false;
  }

  /** Once a client sends the given text to the server, the proxy drops all replies on that connection. */
  deafAfter(text: string): void {
    this.deafAt = text;
  }

  /** Whether the proxy drops replies, because a client has sent the text given to `deafAfter`. */
  get isDeaf(): boolean {
    return this.deaf;
  }

  /** Closes the next connection on which PostgreSQL reports that it is ready for a query, directly after the report. */
  partWhenReady(): void {
    this.isParting = true;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, server: Socket): void {
    let isDeaf = false;
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    if (this.isCut) client.destroy();
    client.on('data', (bytes) => {
      if (this.deafAt !== null && bytes.includes(this.deafAt)) isDeaf = this.deaf = true;
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (isDeaf) return;
      const parts = this.isParting && bytes.subarray(-READY.length).equals(READY);
      if (!parts) return void client.write(bytes);
      this.isParting = false;
      client.end(Buffer.concat([bytes, FAREWELL]));
    });
  }
}
