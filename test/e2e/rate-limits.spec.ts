import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  allows,
  Authenticated,
  type AuthenticatedRequest,
  type Principal,
  Public,
  RequireScope,
  type RouteAccess,
} from '../../src/access/index.js';
import { ROUTE_ACCESS } from '../../src/access/access.decorators.js';
import { AuthenticationError, NotFoundError, PermissionError } from '../../src/errors/index.js';
import {
  configureHttp,
  HTTP_PROVIDERS,
  HttpAdapter,
  InputGuard,
  UnknownPathModule,
} from '../../src/http/index.js';
import { CLOCK, ClockModule } from '../../src/platform/index.js';
import { ConfigModule, readSettings } from '../../src/settings/index.js';
import { RateLimitGuard, RateLimitsModule } from '../../src/rate-limits/index.js';
import { ManualClock } from '../support/manual-clock.js';

const TEAM = '0199b4c0-0000-7000-8000-00000000000a';
const LIMITED_TEAM = '0199b4c0-0000-7000-8000-00000000000b';

const PRINCIPAL: Principal = {
  userId: '0199b4c0-0000-7000-8000-000000000001',
  keyId: '0199b4c0-0000-7000-8000-000000000002',
  teamId: TEAM,
  projectId: null,
  role: 'member',
  scopes: ['workflows:read'],
  plan: 'free',
  address: '127.0.0.1',
};

/** The callers of the test requests, by the secret of their key. */
const CALLERS: Readonly<Record<string, Principal>> = {
  free: PRINCIPAL,
  'free-other-key': { ...PRINCIPAL, keyId: '0199b4c0-0000-7000-8000-000000000003' },
  'limited-team': { ...PRINCIPAL, keyId: '0199b4c0-0000-7000-8000-000000000004', teamId: LIMITED_TEAM },
  'unknown-plan': { ...PRINCIPAL, keyId: '0199b4c0-0000-7000-8000-000000000005', plan: 'gone' },
  dashboard: { ...PRINCIPAL, keyId: null },
  'dashboard-in-another-team': { ...PRINCIPAL, keyId: null, teamId: '0199b4c0-0000-7000-8000-00000000000c' },
  'another-dashboard-user': { ...PRINCIPAL, keyId: null, userId: '0199b4c0-0000-7000-8000-000000000009' },
};

@Injectable()
class WhoCalls implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<IncomingMessage & AuthenticatedRequest>();
    if (this.reflector.get<RouteAccess>(ROUTE_ACCESS, context.getHandler()).kind === 'public') return true;
    const principal = CALLERS[request.headers.authorization?.replace('Bearer ', '') ?? ''];
    if (principal === undefined) throw new AuthenticationError();
    request.principal = principal;
    return true;
  }
}

@Injectable()
class MayTheyCall implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const access = this.reflector.get<RouteAccess>(ROUTE_ACCESS, context.getHandler());
    if (principal !== undefined && access.kind === 'scope' && !allows(principal, access.scope))
      throw new PermissionError(`This request needs the scope ${access.scope}.`);
    return true;
  }
}

@Controller('probe')
class ProbeController {
  @Get('public')
  @Public()
  open(): object {
    return {};
  }

  @Get('read')
  @RequireScope('workflows:read')
  read(): object {
    return {};
  }

  @Get('write')
  @RequireScope('workflows:write')
  write(): object {
    return {};
  }

  @Get('uncounted')
  @Authenticated()
  @SkipThrottle()
  uncounted(): object {
    return {};
  }

  @Get('once')
  @Authenticated()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  once(): object {
    return {};
  }

  @Get('public-once')
  @Public()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  publicOnce(): object {
    return {};
  }

  @Post('made')
  @Authenticated()
  make(): object {
    return {};
  }

  @Get('numbers/:number')
  @Authenticated()
  number(@Param('number', ParseIntPipe) number: number): object {
    throw new NotFoundError('number', String(number));
  }
}

async function start(
  clock: ManualClock,
  environment: Readonly<Record<string, string>>,
  guards = [WhoCalls, RateLimitGuard, MayTheyCall, InputGuard],
): Promise<NestExpressApplication> {
  const settings = readSettings({ NODE_ENV: 'test', ...environment });
  @Module({
    imports: [
      ConfigModule.forRoot(settings),
      ClockModule,
      RateLimitsModule,
      UnknownPathModule.guardedBy(Authenticated()),
    ],
    controllers: [ProbeController],
    providers: [...HTTP_PROVIDERS, ...guards.map((useClass) => ({ provide: APP_GUARD, useClass }))],
  })
  class Application {}
  const testing = await Test.createTestingModule({ imports: [Application] })
    .overrideProvider(CLOCK)
    .useValue(clock)
    .compile();
  const application = testing.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
    logger: false,
    bodyParser: false,
  });
  configureHttp(application, settings);
  await application.listen(0, '127.0.0.1');
  return application;
}

describe('rate limits over HTTP', () => {
  let clock: ManualClock;
  let application: NestExpressApplication;

  beforeEach(async () => {
    clock = new ManualClock();
    application = await start(clock, {
      DEFAULT_PLAN: 'pro',
      RATE_LIMIT_PLANS: JSON.stringify({ [`team:${LIMITED_TEAM}`]: { requests_per_minute: 30, burst: 3 } }),
    });
  });
  afterEach(() => application.close());

  async function call(secret: string | undefined, path: string, init: RequestInit = {}): Promise<Response> {
    const { port } = application.getHttpServer().address() as AddressInfo;
    const authorization = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    return fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...authorization, ...(init.headers as object) },
    });
  }

  async function spend(secret: string, requests: number, path = '/probe/read'): Promise<void> {
    for (let request = 0; request < requests; request += 1) {
      const response = await call(secret, path);
      await response.arrayBuffer();
      expect(response.status).toBe(200);
    }
  }

  function limitHeaders({ headers }: Response): readonly (string | null)[] {
    return [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'ratelimit-policy',
      'ratelimit',
    ].map((name) => headers.get(name));
  }

  /** The rate-limit headers of the free plan after the given number of requests, if no time has passed. */
  function afterFree(requests: number): readonly string[] {
    return [
      '100',
      String(100 - requests),
      String(Math.ceil((clock.now() + requests * 1_000) / 1_000)),
      '"free";q=100;w=100',
      `"free";r=${100 - requests};t=${requests}`,
    ];
  }

  it.each([
    [200, '/probe/read', {}],
    [201, '/probe/made', { method: 'POST' }],
    [400, '/probe/read?unknown=1', {}],
    [400, '/probe/numbers/none', {}],
    [400, '/probe/made', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    [403, '/probe/write', {}],
    [404, '/probe/numbers/1', {}],
    [404, '/nothing/here', {}],
    [405, '/probe/read', { method: 'DELETE' }],
    [415, '/probe/made', { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' } }],
  ])(
    'a request with a response of status %i from the path %s counts against the rate limit',
    async (status, path, init: RequestInit) => {
      const first = await call('free', path, init);
      expect(first.status).toBe(status);
      expect(limitHeaders(first)).toEqual(afterFree(1));
      expect(limitHeaders(await call('free', path, init))).toEqual(afterFree(2));
    },
  );

  it('requests beyond the burst get 429 with the exact Retry-After on every route', async () => {
    await spend('free', 60);
    await spend('free', 40, '/v1/rate-limits');
    clock.advance(300);
    for (const path of ['/probe/read', '/probe/write', '/nothing/here', '/v1/rate-limits']) {
      const refused = await call('free', path);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await refused.json()).toMatchObject({
        error: { type: 'rate_limit_error', code: 'rate_limited', retry_after: 1 },
      });
      expect(limitHeaders(refused)).toEqual([
        '100',
        '0',
        String(Math.ceil((clock.now() - 300 + 100_000) / 1_000)),
        '"free";q=100;w=100',
        '"free";r=0;t=100',
      ]);
    }
    clock.advance(700);
    await spend('free', 1);
    expect((await call('free', '/probe/read')).status).toBe(429);
  });

  it('Retry-After contains the seconds until the next request is allowed', async () => {
    await spend('limited-team', 3);
    const refused = await call('limited-team', '/probe/read');
    expect(refused.headers.get('retry-after')).toBe('2');
    clock.advance(1_999);
    expect((await call('limited-team', '/probe/read')).status).toBe(429);
    clock.advance(1);
    expect((await call('limited-team', '/probe/read')).status).toBe(200);
  });

  it('each key has its own rate limit, and a dashboard user has one rate limit across all teams', async () => {
    await spend('limited-team', 3);
    await spend('free', 2);
    const left = async (secret: string): Promise<string | null> =>
      (await call(secret, '/probe/read')).headers.get('x-ratelimit-remaining');
    expect(await left('free-other-key')).toBe('99');
    expect(await left('dashboard')).toBe('99');
    expect(await left('dashboard-in-another-team')).toBe('98');
    expect(await left('another-dashboard-user')).toBe('99');
  });

  it('a caller with an unknown rate-limit plan gets the default rate-limit plan', async () => {
    expect((await call('unknown-plan', '/probe/read')).headers.get('ratelimit-policy')).toBe(
      '"pro";q=1000;w=100',
    );
  });

  it.each([
    ['a public route', 'free', '/probe/public', 200],
    ['a caller without a key', undefined, '/probe/read', 401],
    ['a route with @SkipThrottle', 'free', '/probe/uncounted', 200],
  ])('the rate limit does not apply to %s', async (_, secret, path, status) => {
    const response = await call(secret, path);
    expect(response.status).toBe(status);
    expect(limitHeaders(response)).toEqual(Array(5).fill(null));
    expect(limitHeaders(await call('free', '/probe/read'))).toEqual(afterFree(1));
  });

  it('a caller beyond the limit that @Throttle sets for a route gets 429', async () => {
    const statuses = [];
    for (let request = 0; request < 3; request += 1)
      statuses.push((await call('free', '/probe/once')).status);
    expect(statuses).toEqual([200, 429, 429]);
    const refused = await call('free', '/probe/once');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await refused.json()).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limited' } });
    expect(limitHeaders(refused)).toEqual(afterFree(4));
  });

  it('the limit of @Throttle applies separately to each route and caller', async () => {
    expect((await call('free', '/probe/once')).status).toBe(200);
    expect((await call('free', '/probe/read')).status).toBe(200);
    expect((await call('free-other-key', '/probe/once')).status).toBe(200);
  });

  it('the limit of @Throttle on a public route applies separately to each IP address', async () => {
    expect((await call(undefined, '/probe/public-once')).status).toBe(200);
    expect((await call('free', '/probe/public-once')).status).toBe(429);
  });

  it("GET /v1/rate-limits returns the caller's plan and the remaining requests", async () => {
    await spend('free', 4);
    const response = await call('free', '/v1/rate-limits');
    expect(await response.json()).toEqual({
      plan: 'free',
      requests_per_minute: 60,
      burst: 100,
      remaining: 95,
      reset: Math.ceil((clock.now() + 5_000) / 1_000),
    });
    expect(limitHeaders(response)).toEqual(afterFree(5));
  });

  it('authenticated routes respond 500 if the rate-limit guard precedes the authentication guard', async () => {
    await application.close();
    application = await start(clock, {}, [RateLimitGuard, WhoCalls, MayTheyCall, InputGuard]);
    expect((await call('free', '/probe/read')).status).toBe(500);
    expect((await call('free', '/probe/public')).status).toBe(200);
  });
});
