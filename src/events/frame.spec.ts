import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from './frame.js';

describe('textFrame', () => {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
    http.close();
  });

  /** Writes the frames to a socket in a single write, and returns the messages that a WebSocket client receives. */
  async function received(texts: readonly string[]): Promise<readonly string[]> {
    server.once('connection', (socket, request) => {
      request.socket.write(Buffer.concat(texts.map(textFrame)));
      socket.close();
    });
    const client = new WebSocket(url);
    const messages: string[] = [];
    client.on('message', (data: Buffer, isBinary) => messages.push(isBinary ? 'binary' : data.toString()));
    await new Promise((resolve, reject) => client.once('close', resolve).once('error', reject));
    return messages;
  }

  it('a WebSocket client reads frames of `textFrame` in all three length formats', async () => {
    const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map((length) => 'a'.repeat(length));
    expect(await received(texts)).toEqual(texts);
  });

  it('`textFrame` counts the length of a frame in bytes, not characters', async () => {
    const texts = ['ü'.repeat(63), '日本'.repeat(12_000), '🙂'];
    expect(await received(texts)).toEqual(texts);
  });
});
