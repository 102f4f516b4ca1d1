import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SocketLimits } from '../../src/events/socket-limits.js';
import { ENTITIES } from '../../src/schema.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { completed, EventsApplication, paused } from '../support/events-application.js';
import { SocketClient } from '../support/socket-client.js';

const [sqlite] = await databaseKinds();
const LONG = 'x'.repeat(100_000);

describe('sockets under backpressure', () => {
  let database: TestDatabase;
  let service: EventsApplication | undefined;

  beforeEach(async () => {
    if (sqlite === undefined) throw new Error('This test needs SQLite.');
    database = await sqlite.create(ENTITIES);
  });

  afterEach(async () => {
    SocketClient.cutAll();
    await service?.close();
    service = undefined;
    await database.drop();
  });

  async function start(limits: Partial<SocketLimits>): Promise<EventsApplication> {
    return (service = await EventsApplication.start(database.settings, { closeMs: 200, ...limits }));
  }

  it('the service closes the socket of a slow reader with 4429, without affecting other readers', async () => {
    const { url, admin, execution } = bound(await start({}));
    const slow = await SocketClient.authenticated(url, admin.secret);
    const quick = await SocketClient.authenticated(url, admin.secret);
    slow.stall();
    const run = execution();
    let sent = 0;
    for (; sent < 400; sent += 1) await run.append(paused(LONG));
    await quick.until(() => quick.events.length === sent);
    slow.resume();
    await slow.until(() => slow.closeCode);
    expect(slow.events.length).toBeLessThan(sent);
    const last = slow.events.at(-1);
    const again = await SocketClient.authenticated(url, admin.secret, String(last?.['cursor']));
    await again.until(() => again.events.length === sent - slow.events.length);
    expect(again.events.map((event) => event['sequence'])).toEqual(
      Array.from({ length: sent - slow.events.length }, (_, index) => slow.events.length + index + 1),
    );
  });

  it('a slow reader that resumes reading within the close timeout receives the error `slow_reader`', async () => {
    const { url, admin, execution } = bound(await start({ closeMs: 10_000, sendBufferBytes: 100_000 }));
    const slow = await SocketClient.authenticated(url, admin.secret);
    slow.stall();
    const run = execution();
    for (let sent = 0; sent < 200; sent += 1) await run.append(paused(LONG));
    slow.resume();
    expect(await slow.ending()).toMatchObject({ close: 4429, code: 'slow_reader', type: 'rate_limit_error' });
  });

  it('the service keeps the socket of a slow reader open while the reader receives past events', async () => {
    const { url, admin, execution } = bound(
      await start({ sendBufferBytes: 1_000_000, pageSize: 5, bufferSize: 10 }),
    );
    const run = execution();
    for (let sent = 0; sent < 200; sent += 1) await run.append(paused(LONG));
    const slow = await SocketClient.open(url);
    slow.send({ type: 'auth', token: admin.secret, resume_from: '0' });
    await slow.next('auth.success');
    slow.stall();
    for (let sent = 0; sent < 50; sent += 1) await run.append(paused(LONG));
    slow.resume();
    await slow.until(() => slow.events.length === 250);
    expect(slow.events.map((event) => event['sequence'])).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    );
    expect(slow.closeCode).toBeUndefined();
  });

  it('an event stream over HTTP sends all past events, even if one batch exceeds the send buffer', async () => {
    const { url, admin, execution } = bound(await start({ sendBufferBytes: 1_000_000 }));
    const run = execution();
    await run.append(...Array.from({ length: 40 }, () => paused(LONG)));
    await run.append(completed('done'));
    const response = await fetch(`http://${url}/v1/executions/${run.id}/events?after=0`, {
      headers: { authorization: `Bearer ${admin.secret}`, accept: 'text/event-stream' },
    });
    const ids = (await response.text()).match(/"sequence":\d+/g);
    expect(ids).toEqual(Array.from({ length: 41 }, (_, index) => `"sequence":${index + 1}`));
  });

  it('the service pings its sockets, and drops a client that does not reply to two pings', async () => {
    const { url, admin } = bound(await start({ heartbeatMs: 50 }));
    const alive = await SocketClient.authenticated(url, admin.secret);
    const dead = await SocketClient.authenticated(url, admin.secret);
    let pings = 0;
    alive.socket.on('ping', () => (pings += 1));
    dead.socket.on('ping', () => undefined);
    dead.stall();
    await new Promise((resolve) => setTimeout(resolve, 400));
    dead.resume();
    expect(await dead.until(() => dead.closeCode)).toBe(1006);
    alive.send({ type: 'ping' });
    await alive.next('pong');
    expect(pings).toBeGreaterThan(2);
  });

  it('before the service stops, it closes its sockets with 1012, so that clients reconnect', async () => {
    const stopping = await start({});
    const { url, admin } = bound(stopping);
    const clients = await Promise.all(
      Array.from({ length: 3 }, () => SocketClient.authenticated(url, admin.secret)),
    );
    const silent = await SocketClient.open(url);
    await stopping.close();
    service = undefined;
    const delays = [];
    for (const client of [...clients, silent]) {
      expect(await client.until(() => client.closeCode)).toBe(1012);
      delays.push((await client.next('reconnect'))['after_ms']);
    }
    expect(new Set(delays).size).toBe(4);
  });
});

function bound(service: EventsApplication): Pick<EventsApplication, 'url' | 'admin' | 'execution'> {
  return { url: service.url, admin: service.admin, execution: () => service.execution() };
}
