import type { INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_ENTITIES, startAccessApplication } from '../support/access-application.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { AccessEpoch } from '../../src/access/index.js';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import { FirstAdminService, KeyAuthenticator } from '../../src/auth/index.js';
import { Writer } from '../../src/storage/index.js';
import { type KeyEvent, KeyRevocations } from '../../src/keys/key-revocations.js';
import { KeyUsage } from '../../src/keys/key-usage.js';
import { KeysRepository } from '../../src/keys/keys.repository.js';
import { KeysService } from '../../src/keys/keys.service.js';

describe.each(await databaseKinds())('watched API keys on $name', ({ create }) => {
  let database: TestDatabase;
  let clock: ManualClock;
  let here: INestApplication;
  let elsewhere: INestApplication;
  let admin: FirstAdmin;

  beforeEach(async () => {
    database = await create(ACCESS_ENTITIES);
    clock = new ManualClock();
    here = await startAccessApplication({ database: database.settings, clock });
    elsewhere = await startAccessApplication({ database: database.settings, clock });
    admin = await here.get(FirstAdminService).create({ email: 'admin@example.com' });
  });
  afterEach(async () => {
    await Promise.all([here.close(), elsewhere.close()]);
    await database.drop();
  });

  async function newKey(
    expiresAt: string | null = null,
  ): Promise<{ readonly id: string; readonly secret: string }> {
    const maker = { ...admin.membership, projectId: null, scopes: ['*'] as const };
    const { key, secret } = await here.get(KeysService).create(maker, { name: 'test', expiresAt });
    return { id: key.id, secret };
  }

  /** Watches a key. @returns the events that the watch reports, and a function that ends the watch */
  async function watch(
    secret: string,
  ): Promise<{ readonly events: readonly KeyEvent[]; readonly end: () => void }> {
    const principal = await here.get(KeyAuthenticator).authenticate(secret, '127.0.0.1');
    const events: KeyEvent[] = [];
    const end = here.get(KeyRevocations).watch(principal, (event) => events.push(event));
    await here.get(KeyRevocations).check();
    return { events, end };
  }

  /**
   * Runs an SQL statement in another process, and increments the access epoch, so that all processes drop
   * their cached keys.
   */
  async function changeElsewhere(sql: string): Promise<void> {
    await elsewhere
      .get(Writer)
      .commit(elsewhere.get(AccessEpoch).change({ writes: [{ sql, parameters: [] }] }));
  }

  async function checkHalfASecondLater(): Promise<void> {
    clock.advance(500);
    await here.get(KeyRevocations).check();
  }

  it('if another process deletes an API key, a listener for the key is notified exactly once', async () => {
    const [deleted, kept] = [await newKey(), await newKey()];
    const [ofDeleted, ofKept] = [await watch(deleted.secret), await watch(kept.secret)];
    await elsewhere.get(KeysService).delete(deleted.id);
    await checkHalfASecondLater();
    await checkHalfASecondLater();
    expect(ofDeleted.events).toEqual([{ kind: 'revoked' }]);
    expect(ofKept.events).toEqual([]);
  });

  it('a listener for an API key is notified when the key expires', async () => {
    const { events } = await watch((await newKey(new Date(clock.now() + 1_000).toISOString())).secret);
    await checkHalfASecondLater();
    expect(events).toEqual([]);
    await checkHalfASecondLater();
    expect(events).toEqual([{ kind: 'expired' }]);
  });

  it.each([
    [
      'is disabled',
      (id: string) => `UPDATE users SET disabled_at = '2026-01-01T00:00:00.000Z' WHERE id = '${id}'`,
      'revoked',
    ],
    ['leaves the team', (id: string) => `DELETE FROM team_members WHERE user_id = '${id}'`, 'revoked'],
    [
      'is restricted to other addresses',
      (id: string) => `UPDATE users SET allowed_ips = '["10.0.0.0/8"]' WHERE id = '${id}'`,
      'address_not_allowed',
    ],
  ])(
    'a listener for an API key is notified that the key lost access if the owner of the key %s',
    async (_, sql, kind) => {
      const { secret } = await newKey();
      const { events } = await watch(secret);
      await changeElsewhere(sql(admin.user.id));
      await checkHalfASecondLater();
      expect(events).toEqual([{ kind }]);
      await expect(here.get(KeyAuthenticator).authenticate(secret, '127.0.0.1')).rejects.toMatchObject({
        code: kind === 'revoked' ? 'invalid_key' : 'address_not_allowed',
      });
    },
  );

  it('a listener for an API key receives the new rights of the key when the role of the key owner changes', async () => {
    const { events } = await watch((await newKey()).secret);
    await changeElsewhere(`UPDATE team_members SET role = 'viewer' WHERE user_id = '${admin.user.id}'`);
    await checkHalfASecondLater();
    await checkHalfASecondLater();
    expect(events).toMatchObject([{ kind: 'changed', principal: { role: 'viewer', address: '127.0.0.1' } }]);
  });

  it('a listener for an API key is not notified after the listener was removed', async () => {
    const { id, secret } = await newKey();
    const { events, end } = await watch(secret);
    end();
    await here.get(KeysService).delete(id);
    await checkHalfASecondLater();
    expect(events).toEqual([]);
  });

  it('the service stores the use of an API key at most once a minute, and the last use at shutdown', async () => {
    const { id, secret } = await newKey();
    const usage = here.get(KeyUsage);
    const written = async () => {
      const row = await elsewhere.get(KeysRepository).findActiveById(id);
      return [row?.lastUsedAt === null ? null : Date.parse(row?.lastUsedAt ?? ''), row?.lastUsedIp];
    };
    const useFrom = (address: string) => here.get(KeyAuthenticator).authenticate(secret, address);

    expect(await written()).toEqual([null, null]);
    const first = clock.now();
    await useFrom('192.0.2.1');
    await usage.flush();
    expect(await written()).toEqual([first, '192.0.2.1']);

    clock.advance(59_999);
    await useFrom('192.0.2.2');
    await usage.flush();
    expect(await written()).toEqual([first, '192.0.2.1']);
    expect(usage.latest(id)).toMatchObject({ at: first + 59_999, address: '192.0.2.2' });

    clock.advance(1);
    await usage.flush();
    expect(await written()).toEqual([first + 59_999, '192.0.2.2']);

    await useFrom('192.0.2.3');
    await usage.beforeApplicationShutdown();
    expect(await written()).toEqual([first + 60_000, '192.0.2.3']);
  });
});
