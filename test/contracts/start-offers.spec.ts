import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { RedisStartOffers } from '../../src/execution-runner/dispatch/redis.start-offers.js';
import { newId, systemClock } from '../../src/platform/index.js';
import { RedisLink, SealedChannels } from '../../src/storage/index.js';
import { testRedis } from '../support/redis.js';
import { Wire } from '../support/wire.js';
import { offered, offeredStart, startOffersContract, Taker } from './start-offers.contract.js';
import { until } from './work-signal.contract.js';

// An outage is logged.
Logger.overrideLogger(false);

const redis = await testRedis();

describe.runIf(redis !== undefined)('offers of starts through Redis', () => {
  if (redis === undefined) return;
  const closing: (() => unknown)[] = [];
  let prefix = '';

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  afterAll(() => redis.close());

  const link = async (url = redis.url): Promise<RedisLink> => {
    const opened = await RedisLink.open(url, prefix);
    closing.push(() => opened.close());
    await until(() => opened.isUp);
    return opened;
  };

  interface Unusual {
    readonly url?: string;
    readonly secret?: string;
    readonly build?: string;
    readonly shiftMs?: number;
  }

  const process = async ({ url, secret = 'of the database', build = '1.0.0', shiftMs = 0 }: Unusual = {}) =>
    new RedisStartOffers(
      await link(url),
      async () => secret,
      { id: newId(), build },
      { now: () => systemClock.now() + shiftMs },
    );

  const open = async (of: Unusual = {}) => {
    prefix = `${redis.prefix}:${newId()}`;
    return { offers: await process(of), another: () => process() };
  };

  const isThere = async (): Promise<void> => {
    const { client } = await link();
    await until(async () => (await client.pubsub('CHANNELS', `${prefix}:starts:runner:*`)).length > 0);
  };

  /** Offers for a while, though somebody is there. */
  const findsNobody = async (offers: RedisStartOffers): Promise<void> => {
    await isThere();
    for (let tries = 0; tries < 30; tries += 1) {
      expect(offers.offer(offeredStart('for nobody'))).toBeNull();
      await pause(10);
    }
  };

  startOffersContract(open);

  it('is nothing for processes on another database, or of another build', async () => {
    for (const strange of [{ secret: 'of another database' }, { build: '1.0.1' }]) {
      const { offers, another } = await open(strange);
      const taker = new Taker();
      await (await another()).listen(taker.take);
      await findsNobody(offers);
      expect(taker.taken).toEqual([]);
    }
  });

  it('is not made by a process that runs executions itself', async () => {
    const { offers, another } = await open();
    await (await another()).listen(new Taker().take);
    await offers.listen(new Taker().take);
    await findsNobody(offers);
  });

  it('is not made of what is long', async () => {
    const { offers, another } = await open();
    await (await another()).listen(new Taker().take);
    expect((await offered(offers, 'x'.repeat(30_000)))[1]).toBe(true);
    expect(offers.offer(offeredStart('x'.repeat(33_000)))).toBeNull();
  });

  it('is left alone by a process that hears of it when nobody waits any more', async () => {
    const { another } = await open();
    const taker = new Taker();
    await (await another()).listen(taker.take);
    const early = await process({ shiftMs: -10_000 });
    expect((await offered(early, 'late'))[1]).toBe(false);
    expect(taker.taken).toEqual([]);
  });

  it('can be neither read nor made by who has access to Redis alone', async () => {
    const { offers, another } = await open();
    const taker = new Taker();
    await (await another()).listen(taker.take);
    const listener = (await link()).forWaiting();
    const heard: [string, Buffer][] = [];
    listener.on('pmessageBuffer', (_: Buffer, channel: Buffer, message: Buffer) =>
      heard.push([channel.toString(), message]),
    );
    await listener.psubscribe(`${prefix}:*`);
    await offered(offers, 'a secret');
    await until(() => heard.length >= 2);
    const [[channel, message] = ['', Buffer.of()], [answers] = ['']] = heard;
    for (const [, bytes] of heard) expect(bytes.toString()).not.toMatch(/secret|starts|taken/);
    // Another byte, another channel, and nothing at all: none is taken.
    const forged = Buffer.from(message);
    forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
    const { client } = await link();
    for (const bytes of [forged, forged.subarray(0, 20), Buffer.of()]) await client.publish(channel, bytes);
    await client.publish(answers, message);
    const [last] = await offered(offers, 'the next');
    expect(taker.taken.map(({ execution }) => execution.id)).toHaveLength(2);
    expect(taker.taken.at(-1)).toEqual(last);
  });

  it('is taken once, however often it is told', async () => {
    const { offers, another } = await open();
    const taker = new Taker();
    await (await another()).listen(taker.take);
    const [{ client }, listener] = [await link(), (await link()).forWaiting()];
    let copies = 0;
    const published: Promise<unknown>[] = [];
    listener.on('pmessageBuffer', (_: Buffer, channel: Buffer, message: Buffer) => {
      if (channel.includes('runner') && (copies += 1) < 5) published.push(client.publish(channel, message));
    });
    await listener.psubscribe(`${prefix}:*`);
    const [start] = await offered(offers, 'told again and again');
    await until(() => copies >= 5);
    await Promise.all(published);
    expect(taker.taken).toEqual([start]);
  });

  it('is not made where Redis does not allow it, and everything else goes on', async () => {
    const { client } = await link();
    const name = `reader-${newId()}`;
    await client.acl('SETUSER', name, 'on', '>pw', '~*', '&*', '+@all', '-pubsub');
    closing.push(() => client.acl('DELUSER', name));
    const url = new URL(redis.url);
    [url.username, url.password] = [name, 'pw'];
    const { another } = await open();
    await (await another()).listen(new Taker().take);
    const [restricted, secret] = [await link(url.toString()), async () => 'of the database'];
    const offers = new RedisStartOffers(restricted, secret, { id: newId(), build: '1.0.0' }, systemClock);
    await findsNobody(offers);
    expect(restricted.isUp).toBe(true);
  });

  it('goes on after an outage of Redis, in which nobody waits for it', async () => {
    const wire = await Wire.toServer(redis.url);
    closing.push(() => wire.close());
    const { offers, another } = await open({ url: wire.url });
    const taker = new Taker();
    await (await another()).listen(taker.take);
    expect((await offered(offers, 'before'))[1]).toBe(true);
    wire.cut();
    await until(() => offers.offer(offeredStart('meanwhile')) === null);
    wire.mend();
    // What was under way when it was cut is not known to be taken.
    await until(async () => (await offered(offers, 'after'))[1]);
    expect(taker.taken.at(-1)?.execution.input).toMatchObject({ text: 'after' });
  });

  it('leaves nothing in Redis', async () => {
    const { offers, another } = await open();
    await (await another()).listen(new Taker().take);
    await offered(offers, 'kept nowhere');
    expect(await (await link()).client.keys(`${prefix}:*`)).toEqual([]);
  });
});

describe.runIf(redis !== undefined)('sealed channels', () => {
  it('are heard by those of the same topic and secret', async () => {
    if (redis === undefined) return;
    const link = await RedisLink.open(redis.url, `${redis.prefix}-sealed`);
    await until(() => link.isUp);
    const channels = new SealedChannels(link, 'things', 'secret');
    const heard: string[] = [];
    const channel = channels.hear('a', (text) => heard.push(text));
    await until(() => channel.isOpen);
    expect(await channels.heard()).toEqual(['a']);
    expect(await new SealedChannels(link, 'other things', 'secret').heard()).toEqual([]);
    // A name that somebody made who does not know the secret is none.
    const stranger = link.forWaiting();
    await stranger.subscribe(`${redis.prefix}-sealed:things:a:${'x'.repeat(22)}`);
    expect(await channels.heard()).toEqual(['a']);
    expect(await channels.send('b', 'to nobody')).toBe(0);
    expect(await channels.send('a', 'ü')).toBe(1);
    await until(() => heard.length === 1);
    expect(heard).toEqual(['ü']);
    channel.close();
    await until(async () => (await channels.send('a', 'gone')) === 0);
    link.close();
  });
});
