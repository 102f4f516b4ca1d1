import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { RedisLink } from './redis-link.js';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Messages between the processes on one database, by way of Redis, which keeps none of them: who is not there when one is sent
 * does not get it. Who can reach Redis and does not know the secret of the database can neither read one nor make one.
 */
export class SealedChannels {
  private readonly key: Buffer;
  /** What the names of all its channels begin with: those of another secret meet nobody here. */
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
    const derived = (use: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', `workflow-service ${topic} ${use}`, bytes));
    this.key = derived('key', KEY_BYTES);
    this.base = `${redis.prefix}:${topic}:${derived('name', TAG_BYTES).toString('base64url')}:`;
  }

  /** @returns how many processes it was handed to */
  send(name: string, text: string): Promise<number> {
    const channel = this.base + name;
    return this.redis.ask((client) => client.publish(channel, this.seal(channel, text)));
  }

  /** Names that begin so and that somebody hears now. */
  async heard(beginning: string): Promise<readonly string[]> {
    const channels = await this.redis.ask((client) => client.pubsub('CHANNELS', `${this.base}${beginning}*`));
    return channels.map((channel) => String(channel).slice(this.base.length));
  }

  /** Hears what is sent to a name, after an outage too, until the process ends or it is closed. */
  hear(name: string, listener: (text: string) => void): HeardChannel {
    const channel = this.base + name;
    const connection = this.redis.forWaiting();
    connection.on('messageBuffer', (_: Buffer, sealed: Buffer) => {
      const text = this.unseal(channel, sealed);
      if (text !== null) listener(text);
    });
    let isSubscribed = false;
    void connection.subscribe(channel).then(
      () => (isSubscribed = true),
      () => undefined,
    );
    return {
      get isOpen() {
        return isSubscribed && connection.status === 'ready';
      },
      close: () => connection.disconnect(),
    };
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

/** A channel that is listened to. */
export interface HeardChannel {
  /** Whether what is sent now arrives. */
  readonly isOpen: boolean;
  close(): void;
}
