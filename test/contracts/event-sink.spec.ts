import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll } from 'vitest';
import type { EventSink, SinkMessage, SinkResult } from '../../src/event-sinks/index.js';
import { HttpSink } from '../../src/event-sinks/http-sink.js';
import { readSettings } from '../../src/settings/index.js';
import { PluginFolder } from '../support/plugin-folder.js';
import { testRedis } from '../support/redis.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { type ArrivedMessage, describeEventSink } from './event-sink.contract.js';

/** A minimal event sink that stores the messages in memory. */
class FakeSink implements EventSink {
  readonly messages: ArrivedMessage[] = [];
  isAvailable = true;

  check({ pathname }: URL): string | null {
    return pathname === '' ? 'must name a list' : null;
  }

  send({ headers, body }: SinkMessage): Promise<SinkResult> {
    if (!this.isAvailable) return Promise.reject(new Error('The receiver is unavailable.'));
    this.messages.push({ headers, body });
    return Promise.resolve({ error: null, statusCode: null, responseBody: null });
  }
}

describeEventSink('fake', () => {
  const sink = new FakeSink();
  return Promise.resolve({
    sink,
    url: new URL('fake:list'),
    refusedUrl: new URL('fake:'),
    arrived: () => Promise.resolve(sink.messages),
    stopReceiver: () => Promise.resolve(void (sink.isAvailable = false)),
    close: () => Promise.resolve(),
  });
});

describeEventSink('HTTP', async () => {
  const receiver = await WebhookReceiver.start();
  const sink = new HttpSink(readSettings({ EGRESS_ALLOW: receiver.address }));
  let isStopped = false;
  const stopReceiver = async (): Promise<void> => {
    if (!isStopped) await receiver.stop();
    isStopped = true;
  };
  return {
    sink,
    url: new URL(receiver.url()),
    refusedUrl: new URL('http://10.0.0.1/'),
    arrived: () => Promise.resolve(receiver.received.map(({ headers, body }) => ({ headers, body }))),
    stopReceiver,
    close: async () => {
      await sink.onApplicationShutdown();
      await stopReceiver();
    },
  };
});

type ClosableSink = EventSink & { onModuleDestroy(): void };

/** Compiles the example plug-in with its own settings, and returns its event sink. */
async function redisStreamsSink(folder: string): Promise<ClosableSink> {
  const example = PluginFolder.copy('examples/plugins/sink-redis-streams', join(folder, 'sink'));
  example.compile();
  const file = pathToFileURL(join(example.path, 'dist/redis-streams.sink.js')).href;
  const { RedisStreamsSink } = (await import(file)) as { readonly RedisStreamsSink: new () => ClosableSink };
  return new RedisStreamsSink();
}

const server = await testRedis();
afterAll(() => server?.close());
if (server !== undefined)
  describeEventSink('Redis Streams', async () => {
    const stream = `${server.prefix}:sink`;
    const redis = new Redis(server.url);
    const folder = mkdtempSync(join(tmpdir(), 'workflow-sink-'));
    const sink = await redisStreamsSink(folder);
    process.env['SINK_REDIS_URL'] = server.url;
    return {
      sink,
      url: new URL(`redis-streams:${stream}`),
      refusedUrl: new URL('redis-streams:'),
      arrived: async () =>
        (await redis.xrange(stream, '-', '+')).map(([, fields]) => {
          const { body = '', ...headers } = Object.fromEntries(
            Array.from({ length: fields.length / 2 }, (_, at) => [fields[2 * at], fields[2 * at + 1]]),
          ) as Record<string, string>;
          return { headers, body };
        }),
      // Replaces the Redis stream by a string, so that only this stream becomes unusable. Other tests use the same
      // Redis server.
      stopReceiver: async () => void (await redis.set(stream, 'no stream')),
      close: async () => {
        await redis.del(stream);
        redis.disconnect();
        sink.onModuleDestroy();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
