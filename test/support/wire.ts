import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { DatabaseSettings } from '../../src/settings/index.js';

/** What PostgreSQL says of a connection that it ends: a FATAL error 57P01. */
const FAREWELL = ((fields: string) => {
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
})('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
/** The last bytes of what it answers when it is ready for a query: `Z`, their number, and that no transaction is open. */
const READY = Buffer.from('Z\0\0\0\x05I');

const PORTS: Readonly<Record<string, number>> = { 'redis:': 6379 };
const POSTGRES_PORT = 5432;

/** A wire to a server, which can be cut and mended. */
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
    if (database.dialect !== 'postgres') throw new Error('There is no wire to SQLite.');
    return Wire.toServer(database.url);
  }

  /** @param url of PostgreSQL or Redis */
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

  /** The database at the end of this wire. */
  get settings(): DatabaseSettings {
    return { dialect: 'postgres', url: this.url };
  }

  /** The server at the end of this wire. */
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

  /** Ends the connections; new ones are taken. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
    this.deafAt = null;
    this.deaf = false;
  }

  /** What the server answers after a text was sent to it gets lost. */
  deafAfter(text: string): void {
    this.deafAt = text;
  }

  /** Whether such a text was sent, and its answer lost. */
  get isDeaf(): boolean {
    return this.deaf;
  }

  /** Ends the next connection that is ready for a query, in the very packet that says that it is. */
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
