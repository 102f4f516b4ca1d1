import type { AddressInfo } from 'node:net';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Principal, RequireScope } from '../../src/access/index.js';
import { FirstAdminService } from '../../src/auth/index.js';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import { KeysService } from '../../src/keys/index.js';
import type { NewKey } from '../../src/keys/api-key.js';
import { ACCESS_ENTITIES, startAccessApplication } from '../support/access-application.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ManualClock } from '../support/manual-clock.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly error?: { readonly type: string; readonly code: string; readonly details?: object };
  };
}

describe.each(await databaseKinds())('the bearer guard on $name', ({ create }) => {
  let database: TestDatabase;
  let clock: ManualClock;
  let application: INestApplication;
  let admin: FirstAdmin;

  beforeEach(async () => {
    database = await create(ACCESS_ENTITIES);
    clock = new ManualClock();
    application = await start();
    admin = await application.get(FirstAdminService).create({ email: 'admin@example.com' });
  });
  afterEach(async () => {
    await application.close();
    await database.drop();
  });

  function start(
    environment: Readonly<Record<string, string>> = {},
    ownClock = clock,
  ): Promise<INestApplication> {
    return startAccessApplication({ database: database.settings, clock: ownClock, environment });
  }

  async function call(
    path: string,
    authorization?: string,
    init: RequestInit = {},
    of: INestApplication = application,
  ): Promise<Answer> {
    const { port } = of.getHttpServer().address() as AddressInfo;
    const headers = {
      ...(init.headers as object),
      ...(authorization === undefined ? {} : { authorization }),
    };
    const response = await fetch(`http://127.0.0.1:${port}/probe/${path}`, { ...init, headers });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    };
  }

  function code({ status, body }: Answer): string {
    return `${status} ${body.error?.code ?? ''}`.trim();
  }

  async function keyWith(
    wanted: Omit<NewKey, 'name'>,
  ): Promise<{ readonly id: string; readonly bearer: string }> {
    const maker = { ...admin.membership, projectId: null, scopes: ['*'] as const };
    const { key, secret } = await application.get(KeysService).create(maker, { name: 'test', ...wanted });
    return { id: key.id, bearer: `Bearer ${secret}` };
  }

  it('a public route accepts a request without a credential', async () => {
    expect(code(await call('public'))).toBe('200');
  });

  it('the service passes the user, team, role and scopes of the API key to the request handler', async () => {
    const { body } = await call('principal', `Bearer ${admin.secret}`);
    expect(body).toEqual({
      userId: admin.user.id,
      keyId: admin.key.id,
      teamId: admin.team.id,
      projectId: null,
      role: 'owner',
      scopes: ['*'],
      plan: 'enterprise',
      address: '127.0.0.1',
      requestId: expect.any(String) as string,
    } satisfies Principal);
  });

  it('the service accepts cached and uncached API keys, and the scheme Bearer in upper or lower case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer'])
      expect(code(await call('principal', `${scheme} ${admin.secret}`))).toBe('200');
  });

  it.each([
    ['no header', undefined, '401 missing_key'],
    ['the scheme Basic', 'Basic YTpi', '401 malformed_authorization'],
    ['only a scheme', 'Bearer', '401 malformed_authorization'],
    ['three words', 'Bearer a b', '401 malformed_authorization'],
    ['two spaces', 'Bearer  a', '401 malformed_authorization'],
    ['a key without a scheme', 'wfk_0000000000000000000000000000002C8GjS', '401 malformed_authorization'],
    ['a credential that has no key format', 'Bearer nonsense', '401 invalid_key'],
    ['an unknown key', 'Bearer wfk_0000000000000000000000000000002C8GjS', '401 invalid_key'],
  ])(
    'authentication fails with 401 for a request without a valid API key: %s',
    async (_, authorization, expected) => {
      const answer = await call('principal', authorization);
      expect(code(answer)).toBe(expected);
      expect(answer.body.error?.type).toBe('authentication_error');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );

  it('requests with invalid keys are limited per client address, but requests with valid keys are not', async () => {
    const { bearer } = await keyWith({});
    const expired = await keyWith({ expiresAt: new Date(clock.now() + 1).toISOString() });
    clock.advance(1);
    for (let count = 0; count < 110; count += 1)
      expect(code(await call('principal'))).toBe('401 missing_key');
    const refused = ['Bearer nonsense', 'Bearer a b', 'Bearer wfk_0000000000000000000000000000002C8GjS'];
    for (let count = 0; count < 100; count += 1)
      expect((await call('principal', refused[count % refused.length])).status).toBe(401);
    for (const authorization of refused) {
      const answer = await call('principal', authorization);
      expect(code(answer)).toBe('429 too_many_failed_authentications');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    // The next two requests have keys that the process has not cached. The service must check both keys, although the
    // client address has reached its limit.
    expect(code(await call('principal', bearer))).toBe('200');
    expect(code(await call('principal', expired.bearer))).toBe('401 expired_key');
    expect(code(await call('principal', 'Bearer nonsense'))).toBe('429 too_many_failed_authentications');
    expect(code(await call('public'))).toBe('200');
    clock.advance(1_000);
    expect(code(await call('principal', bearer))).toBe('200');
    expect(code(await call('principal', 'Bearer nonsense'))).toBe('401 invalid_key');
    expect(code(await call('principal', 'Bearer nonsense'))).toBe('429 too_many_failed_authentications');
    expect(code(await call('principal', bearer))).toBe('200');
    clock.advance(500);
    expect(code(await call('principal', bearer))).toBe('200');
  });

  it('the service ignores an API key in the query or the body of a request', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ access_token: admin.secret });
    expect(code(await call(`principal?access_token=${admin.secret}`))).toBe('401 missing_key');
    expect(code(await call('body', undefined, { ...init, body }))).toBe('401 missing_key');
    expect(code(await call('body', 'Bearer nonsense', { ...init, body }))).toBe('401 invalid_key');
    expect(code(await call(`principal?access_token=${admin.secret}`, 'Basic YTpi'))).toBe(
      '401 malformed_authorization',
    );
  });

  it('the error of a request without the required scope names that scope', async () => {
    const { bearer } = await keyWith({ scopes: ['workflows:read'] });
    const answer = await call('write', bearer);
    expect(code(answer)).toBe('403 missing_scope');
    expect(answer.body.error?.details).toEqual({ required_scope: 'workflows:write' });
    expect(code(await call('write', (await keyWith({ scopes: ['workflows:write'] })).bearer))).toBe('200');
  });

  it('the process that deletes an API key rejects the key immediately, even if the key is cached', async () => {
    const { id, bearer } = await keyWith({});
    expect(code(await call('principal', bearer))).toBe('200');
    await application.get(KeysService).delete(id);
    expect(code(await call('principal', bearer))).toBe('401 invalid_key');
  });

  it('a process rejects an API key within one second after another process deleted the key', async () => {
    const otherClock = new ManualClock();
    const other = await start({}, otherClock);
    try {
      const { id, bearer } = await keyWith({});
      expect(code(await call('principal', bearer, {}, other))).toBe('200');
      await application.get(KeysService).delete(id);
      otherClock.advance(500);
      expect(code(await call('principal', bearer, {}, other))).toBe('401 invalid_key');
    } finally {
      await other.close();
    }
  });

  it('for a request that changes access rights, the service checks the API key in the database instead of the cache', async () => {
    const other = await start({}, new ManualClock());
    try {
      const { id, bearer } = await keyWith({});
      expect(code(await call('principal', bearer, {}, other))).toBe('200');
      await application.get(KeysService).delete(id);
      expect(code(await call('principal', bearer, {}, other))).toBe('200');
      const body = JSON.stringify({ name: 'Mallory' });
      const request = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body };
      expect(code(await call('../v1/users/me', bearer, request, other))).toBe('401 invalid_key');
    } finally {
      await other.close();
    }
  });

  it('the service rejects an API key from its expiry time on, even if the key is cached', async () => {
    const { bearer } = await keyWith({ expiresAt: new Date(clock.now() + 100).toISOString() });
    expect(code(await call('principal', bearer))).toBe('200');
    clock.advance(99);
    expect(code(await call('principal', bearer))).toBe('200');
    clock.advance(1);
    expect(code(await call('principal', bearer))).toBe('401 expired_key');
  });

  it('an API key works only from its allowed addresses, and X-Forwarded-For counts only from a trusted proxy', async () => {
    const { bearer } = await keyWith({ allowedIps: ['203.0.113.0/24'] });
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    expect(code(await call('principal', bearer, forwarded))).toBe('403 address_not_allowed');
    const behindProxy = await start({ TRUSTED_PROXIES: '127.0.0.1' });
    try {
      expect(code(await call('principal', bearer, forwarded, behindProxy))).toBe('200');
      expect(code(await call('principal', bearer, {}, behindProxy))).toBe('403 address_not_allowed');
      expect(
        code(
          await call(
            'principal',
            bearer,
            { headers: { 'x-forwarded-for': '203.0.113.7, 198.51.100.1' } },
            behindProxy,
          ),
        ),
      ).toBe('403 address_not_allowed');
    } finally {
      await behindProxy.close();
    }
  });

  it('the service rejects API keys of another service that runs in the same process', async () => {
    const stranger = await create(ACCESS_ENTITIES);
    const other = await startAccessApplication({ database: stranger.settings, clock });
    try {
      const { secret } = await other.get(FirstAdminService).create({ email: 'admin@example.com' });
      expect(code(await call('principal', `Bearer ${secret}`))).toBe('401 invalid_key');
      expect(code(await call('principal', `Bearer ${secret}`, {}, other))).toBe('200');
      expect(code(await call('principal', `Bearer ${admin.secret}`, {}, other))).toBe('401 invalid_key');
    } finally {
      await other.close();
      await stranger.drop();
    }
  });

  it('the application fails to start if a route does not declare its access rule', async () => {
    @Controller('unguarded')
    class UnguardedController {
      @RequireScope('workflows:read')
      @Get('declared')
      declared(): object {
        return {};
      }

      @Get('undeclared')
      undeclared(): object {
        return {};
      }
    }
    await expect(
      startAccessApplication({ database: database.settings, clock, controllers: [UnguardedController] }),
    ).rejects.toThrow(/declare no access: UnguardedController\.undeclared\. Add /);
  });

  it('only one of three concurrent requests to create the first admin succeeds', async () => {
    const empty = await create(ACCESS_ENTITIES);
    const other = await startAccessApplication({ database: empty.settings, clock });
    try {
      const service = other.get(FirstAdminService);
      const outcomes = await Promise.allSettled(
        ['a', 'b', 'c'].map((name) =>
          service.create({ email: `${name}@example.com`, password: 'correct horse battery' }),
        ),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'already_set_up' });
    } finally {
      await other.close();
      await empty.drop();
    }
  });
});
