/**
 * Opens many sockets and counts their messages. Messages are not parsed, because the readers share the CPU with the
 * measured server.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface Readers {
  /**
   * Waits until every socket has received the given number of further messages.
   * @returns elapsed milliseconds
   */
  received(messages: number): Promise<number>;
  /** Stops reading from the sockets with an index below `count`. */
  stall(count: number): void;
  close(): void;
}

/**
 * Opens sockets and waits until each socket has received `answers` messages. `hello` returns the first message that a
 * socket sends.
 */
export async function openReaders(
  url: string,
  count: number,
  hello: (index: number) => string | null,
  answers: number,
): Promise<Readers> {
  const { hostname, port } = new URL(url);
  const readers = await Promise.all(
    Array.from({ length: count }, (_, index) => Reader.open(hostname, Number(port), hello(index))),
  );
  await Promise.all(readers.map((reader) => reader.until(answers)));
  for (const reader of readers) reader.reset();
  return {
    received: async (messages) => {
      const begun = performance.now();
      await Promise.all(readers.map((reader) => reader.until(messages)));
      for (const reader of readers) reader.reset();
      return performance.now() - begun;
    },
    stall: (stalled) => {
      for (const reader of readers.slice(0, stalled)) reader.stall();
    },
    close: () => {
      for (const reader of readers) reader.close();
    },
  };
}

/** Counts the frames that one WebSocket receives. */
class Reader {
  private readonly socket: Socket;
  private count = 0;
  /** Number of bytes of the current frame that have not arrived yet. */
  private left = 0;
  private rest = Buffer.alloc(0);
  private wanted = Infinity;
  private wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => undefined);
  }

  static async open(host: string, port: number, hello: string | null): Promise<Reader> {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    await new Promise((resolve, reject) =>
      socket.once('connect', resolve as () => void).once('error', reject),
    );
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    const head = await new Promise<Buffer>((resolve) => {
      let read = Buffer.alloc(0);
      const more = (chunk: Buffer): void => {
        read = Buffer.concat([read, chunk]);
        const end = read.indexOf('\r\n\r\n');
        if (end < 0) return;
        socket.off('data', more);
        resolve(read.subarray(end + 4));
      };
      socket.on('data', more);
    });
    const reader = new Reader(socket);
    if (hello !== null) socket.write(masked(hello));
    if (head.length > 0) reader.read(head);
    return reader;
  }

  until(messages: number): Promise<void> {
    if (this.count >= messages) return Promise.resolve();
    this.wanted = messages;
    return new Promise((resolve) => (this.wake = resolve));
  }

  reset(): void {
    this.count = 0;
    this.wanted = Infinity;
  }

  stall(): void {
    this.socket.pause();
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    let bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = Buffer.alloc(0);
    for (;;) {
      const taken = Math.min(this.left, bytes.length);
      this.left -= taken;
      bytes = bytes.subarray(taken);
      if (bytes.length === 0) break;
      const frame = frameLength(bytes);
      if (frame === null) {
        this.rest = Buffer.from(bytes);
        break;
      }
      if ((bytes[0] ?? 0) === 0x81) this.count += 1;
      this.left = frame;
    }
    if (this.count >= this.wanted) this.wake();
  }
}

/** Returns the length of a WebSocket frame in bytes, including its header; null if the header is incomplete. */
function frameLength(bytes: Buffer): number | null {
  const short = (bytes[1] ?? 0) & 0x7f;
  if (bytes.length < 2) return null;
  if (short < 126) return 2 + short;
  if (short === 126) return bytes.length < 4 ? null : 4 + bytes.readUInt16BE(2);
  return bytes.length < 10 ? null : 10 + Number(bytes.readBigUInt64BE(2));
}

function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
