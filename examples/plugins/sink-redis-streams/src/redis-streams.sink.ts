import type { OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { type EventSink, Sink, type SinkMessage, type SinkResult } from 'workflow-service/module';

const VARIABLE = 'SINK_REDIS_URL';

/** Approximate number of entries that a stream keeps. */
const MAX_LENGTH = 1_000_000;

/**
 * Appends each event to the stream that the URL of the webhook names: `redis-streams:orders`. The address of the server
 * is the environment variable SINK_REDIS_URL, so users of the API cannot choose where the service connects.
 */
@Sink({ schemes: ['redis-streams'] })
export class RedisStreamsSink implements EventSink, OnModuleDestroy {
  private redis: Redis | undefined;

  check(url: URL): string | null {
    if (process.env[VARIABLE] === undefined) return `cannot be used: ${VARIABLE} is not set`;
    return streamOf(url) === '' ? 'must name a stream, such as redis-streams:orders' : null;
  }

  async send({ url, id, type, headers, body }: SinkMessage): Promise<SinkResult> {
    const fields = Object.entries({ id, type, ...headers, body }).flat();
    await this.connection().xadd(streamOf(url), 'MAXLEN', '~', MAX_LENGTH, '*', ...fields);
    return { error: null, statusCode: null, responseBody: null };
  }

  onModuleDestroy(): void {
    this.redis?.disconnect();
  }

  /** Made for the first event. A command fails at once while Redis is away: the deliverer tries again. */
  private connection(): Redis {
    return (this.redis ??= new Redis(process.env[VARIABLE] ?? '', {
      maxRetriesPerRequest: 1,
      commandTimeout: 10_000,
    }).on('error', () => undefined));
  }
}

function streamOf(url: URL): string {
  return decodeURIComponent(url.pathname);
}
