import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { RedisLink } from './redis-link.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** Characters of a name's proof. */
const PROOF = 22;

/** Thrown where Redis answers, and refuses: its user may not do that. */
export class ChannelsRefusedError extends Error {
  override readonly name = 'ChannelsRefusedError';
}

/** A channel that is listened to. */
export interface HeardChannel {
  /** Whether what is sent now arrives, as far as this process knows. */
  readonly isOpen: boolean;
  close(): void;
}

/**
 * Messages between the processes on one database, by way of Redis, which keeps none of them: who is not there when one
 * is sent does not get it. Who can reach Redis and does not know the secret of the database can neither read a message
 * nor make one, nor a name.
 */
export class SealedChannels {
  private readonly logger = new Logger(SealedChannels.name);
  private readonly key: Buffer;
  private readonly base: string;

  /**
   * @param topic what they are about: messages of one topic are not taken for those of another
   * @param secret known to all processes on the database, and to nobody else
   */
  constructor(
    private readonly redis: RedisLink,
    topic: string,
    secret: string,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', `workflow-service ${topic}`, KEY_BYTES));
    this.base = `${redis.prefix}:${topic}:`;
  }

  /**
   * @returns how many processes it was handed to
   * @throws ChannelsRefusedError
   */
  send(name: string, text: string): Promise<number> {
    const channel = this.channelOf(name);
    return this.ask((client) => client.publish(channel, this.seal(channel, text)));
  }

  /**
   * Names that somebody hears now.
   * @throws ChannelsRefusedError
   */
  async heard(): Promise<readonly string[]> {
    const channels = await this.ask((client) => client.pubsub('CHANNELS', `${this.base}*`));
    return channels.flatMap((channel) => {
      const name = String(channel).slice(this.base.length, -PROOF - 1);
      return this.channelOf(name) === channel ? [name] : [];
    });
  }

  /** Hears what is sent to a name, after an outage too, until it is closed. */
  hear(name: string, listener: (text: string) => void): HeardChannel {
    const channel = this.channelOf(name);
    const connection = this.redis.forWaiting();
    let isSubscribed = false;
    connection.on('messageBuffer', (_: Buffer, sealed: Buffer) => {
      const text = this.unseal(channel, sealed);
      if (text !== null) listener(text);
    });
    void connection.subscribe(channel).then(
      () => (isSubscribed = true),
      (error: unknown) => {
        if (isRefusal(error)) this.logger.warn({ err: error }, 'Redis refuses SUBSCRIBE.');
      },
    );
    return {
      get isOpen() {
        return isSubscribed && connection.status === 'ready';
      },
      close: () => connection.disconnect(),
    };
  }

  /** A refusal is an answer: Redis is there, and everything else goes on with it. */
  private async ask<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    const answer = await this.redis.ask((client) =>
      command(client).catch((error: unknown) => {
        if (isRefusal(error)) return new ChannelsRefusedError(error.message);
        throw error;
      }),
    );
    if (answer instanceof ChannelsRefusedError) throw answer;
    return answer;
  }

  private channelOf(name: string): string {
    const proof = createHmac('sha256', this.key).update(name).digest('base64url').slice(0, PROOF);
    return `${this.base}${name}:${proof}`;
  }

  private seal(channel: string, text: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(channel));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Null where it was not sealed with this secret for this channel. */
  private unseal(channel: string, sealed: Buffer): string | null {
    if (sealed.length < IV_BYTES + TAG_BYTES) return null;
    const [iv, tag, text] = [
      sealed.subarray(0, IV_BYTES),
      sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
      sealed.subarray(IV_BYTES + TAG_BYTES),
    ];
    const decipher = createDecipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(channel)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(text), decipher.final()]).toString();
    } catch {
      return null;
    }
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
