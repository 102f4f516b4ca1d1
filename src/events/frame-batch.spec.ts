import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { paused } from '../../test/support/simulated-run.js';
import type { Batch } from '../journal/index.js';
import { newId } from '../platform/index.js';
import { eventFrame, FrameBatch, type FrameBatchMember, textFrame } from './frame-batch.ts';

function batchOf(position: number, events: number): Batch {
  return {
    id: newId(),
    position,
    executionId: newId(),
    projectId: newId(),
    workflowId: newId(),
    sessionId: null,
    firstSequence: 1,
    events: Array.from({ length: events }, () => paused(1_000)),
  };
}

/** Collects the frames that the frame batch writes to a socket. */
class FakeSocket implements FrameBatchMember {
  readonly written: Buffer[] = [];
  isSlow = false;

  constructor(private readonly onWrite: () => void = () => undefined) {}

  isReady(): boolean {
    return !this.isSlow;
  }

  write(frames: Buffer): void {
    this.written.push(frames);
    this.onWrite();
  }
}

it('`FrameBatch` encodes each event once, and sockets that receive the same events share one buffer', () => {
  const frames = new FrameBatch({ websocket: 0 });
  const [one, other] = [batchOf(7, 2), batchOf(8, 2)];
  const [first, equal, different] = [new FakeSocket(), new FakeSocket(), new FakeSocket()];
  for (const socket of [first, equal]) {
    frames.add(one, 0, socket);
    frames.add(other, 1, socket);
  }
  // The third socket receives one event that the frame batch already contains, and one new event.
  frames.add(other, 1, different);
  frames.add(other, 0, different);
  for (const socket of [first, equal, different]) frames.flush(socket);
  expect(first.written).toEqual([Buffer.concat([eventFrame(one, 0), eventFrame(other, 1)])]);
  expect(equal.written[0]).toBe(first.written[0]);
  expect(different.written).toEqual([Buffer.concat([eventFrame(other, 1), eventFrame(other, 0)])]);
});

it('`FrameBatch` writes the buffer of a single event without a copy', () => {
  const frames = new FrameBatch({ websocket: 0 });
  const batch = batchOf(7, 2);
  const socket = new FakeSocket();
  frames.add(batch, 1, socket);
  frames.flush(socket);
  expect(socket.written[0]).toBe(eventFrame(batch, 1));
});

it('`FrameBatch` drops the events of a socket that is not ready, and events that a socket discards', () => {
  const frames = new FrameBatch({ websocket: 0 });
  const batch = batchOf(7, 1);
  const [slow, leaving] = [new FakeSocket(), new FakeSocket()];
  slow.isSlow = true;
  for (const socket of [slow, leaving]) frames.add(batch, 0, socket);
  frames.flush(slow);
  slow.isSlow = false;
  frames.discard(leaving);
  for (const socket of [slow, leaving]) frames.flush(socket);
  expect([slow.written, leaving.written]).toEqual([[], []]);
});

it('`FrameBatch` flushes after all queued callbacks of the event loop, and then starts a new batch', async () => {
  const frames = new FrameBatch({ websocket: 0 });
  const order: string[] = [];
  const socket = new FakeSocket(() => order.push('frames'));
  const [one, other] = [batchOf(7, 1), batchOf(8, 1)];
  frames.add(one, 0, socket);
  setImmediate(() => order.push('next commit'));
  while (!order.includes('frames')) await nextTurn();
  expect(order).toEqual(['next commit', 'frames']);
  await nextTurn();
  expect(order).toHaveLength(2);
  frames.add(other, 0, socket);
  while (order.length === 2) await nextTurn();
  expect(socket.written).toEqual([eventFrame(one, 0), eventFrame(other, 0)]);
});

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
