import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Host and port of the server to which the proxy forwards connections. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A TCP proxy that cuts each connection after a number of bytes from the server, possibly in the middle of a frame. */
export class CuttingProxy {
  cuts = 0;
  private readonly target: () => Target;
  private readonly bytesUntilCut: () => number | null;
  private readonly server: Server;
  private readonly open = new Set<Socket>();

  /**
   * @param target called for every connection, because a restarted server may have a new address
   * @param bytesUntilCut bytes from the server until the cut, or null for no cut
   */
  constructor(target: () => Target, bytesUntilCut: () => number | null) {
    this.target = target;
    this.bytesUntilCut = bytesUntilCut;
    this.server = createServer((client) => this.join(client));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    const { host, port } = this.target();
    const upstream = connect(port, host);
    let left = this.bytesUntilCut();
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      this.open.delete(client);
    };
    this.open.add(client);
    client.on('error', end).on('close', end);
    upstream.on('error', end).on('close', end);
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      if (left === null || chunk.length < left) {
        if (left !== null) left -= chunk.length;
        client.write(chunk);
        return;
      }
      this.cuts += 1;
      // The client receives a part of the data, and possibly a part of a frame, before the connection is reset.
      client.write(chunk.subarray(0, left), () => client.resetAndDestroy());
      upstream.destroy();
    });
  }
}
