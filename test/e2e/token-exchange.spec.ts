import { createServer } from 'node:http';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { exportSPKI, importSPKI, SignJWT } from 'jose';
import { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import { FirstAdminService } from '../../src/auth/index.js';
import { runProgram } from '../../src/cli/program.js';
import { readSettings } from '../../src/settings/index.js';
import { checkedSettings } from '../../src/start/checked-settings.js';
import { type ClockedAnswer, ClockedService, code } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { IdentityProvider, rawToken, type SigningKey, signingKey } from '../support/identity-provider.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
const GRACE = 'grace@example.com';
const UNKNOWN_ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';

/** A service with one configured token issuer, and an admin of the first team. */
class Exchange {
  private constructor(
    readonly service: ClockedService,
    readonly provider: IdentityProvider,
    readonly admin: FirstAdmin,
  ) {}

  static async start(
    provider: IdentityProvider,
    issuer: object = {},
    database?: TestDatabase,
    known?: FirstAdmin,
  ): Promise<Exchange> {
    const TOKEN_ISSUERS = JSON.stringify([
      {
        issuer: provider.issuer,
        audience: provider.audience,
        jwks_url: provider.jwksUrl,
        link_by_email: true,
        any_team: true,
        ...issuer,
      },
    ]);
    const service = await ClockedService.start({ TOKEN_ISSUERS }, database?.settings);
    const admin =
      known ?? (await service.app.get(FirstAdminService, { strict: false }).create({ email: GRACE }));
    return new Exchange(service, provider, admin);
  }

  token(claims?: object, options?: Parameters<IdentityProvider['token']>[2]): Promise<string> {
    return this.provider.token(this.service.clock.now(), { ...claims }, options);
  }

  jwt(jwt: unknown): Promise<ClockedAnswer> {
    return this.service.call('POST', '/v1/auth/token', { jwt });
  }

  async exchange(
    claims?: object,
    options?: Parameters<IdentityProvider['token']>[2],
  ): Promise<ClockedAnswer> {
    return this.jwt(await this.token(claims, options));
  }

  me(token: string): Promise<ClockedAnswer> {
    return this.service.call('GET', '/v1/users/me', undefined, { authorization: `Bearer ${token}` });
  }

  sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return this.service.app.get(DataSource, { strict: false }).query(text);
  }
}

describe.each(await databaseKinds())('exchange of a JWT on $name', ({ create }) => {
  let database: TestDatabase;
  let provider: IdentityProvider;
  let exchange: Exchange;

  beforeAll(async () => {
    provider = await IdentityProvider.start();
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    database = await create();
  });
  afterEach(async () => {
    await exchange.service.close();
    await database.drop();
  });

  const start = async (issuer: object = {}): Promise<void> => {
    exchange = await Exchange.start(provider, issuer, database);
  };

  it('a JWT can be exchanged for a token that works as an API key until the token expires', async () => {
    await start({ token_lifetime_seconds: 200, default_scopes: ['workflows:read', 'users:read'] });
    const answer = await exchange.exchange();
    const expiresAt = new Date(exchange.service.clock.now() + 200_000).toISOString();
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^wfk_[0-9A-Za-z]{36}$/),
      token_type: 'Bearer',
      expires_at: expiresAt,
      scopes: ['workflows:read', 'users:read'],
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { token } = answer.body;
    expect((await exchange.me(token)).body).toMatchObject({
      id: exchange.admin.user.id,
      team_id: exchange.admin.team.id,
      scopes: ['workflows:read', 'users:read'],
    });
    const bearer = { authorization: `Bearer ${token}` };
    expect(code(await exchange.service.call('POST', '/v1/workflows', { name: 'x' }, bearer))).toBe(
      '403 missing_scope',
    );
    expect(JSON.stringify(await exchange.sql('SELECT * FROM api_keys'))).not.toContain(token);
    exchange.service.clock.advance(200_000);
    expect(code(await exchange.me(token))).toBe('401 expired_key');
  });

  it('a token from an exchange, and every key created with the token, expire when the JWT expires', async () => {
    await start({ token_lifetime_seconds: 3600 });
    const { clock } = exchange.service;
    const exp = Math.floor(clock.now() / 1000) + 120;
    const end = new Date(exp * 1000).toISOString();
    const form = { grant_type: GRANT, subject_token_type: JWT_TYPE };
    const answer = await exchange.service.call(
      'POST',
      '/v1/auth/token',
      new URLSearchParams({ ...form, subject_token: await exchange.token({ exp }) }),
    );
    expect(answer.body.expires_at).toBe(end);
    expect(answer.body.expires_in).toBe(Math.floor((exp * 1000 - clock.now()) / 1000));
    const token = { authorization: `Bearer ${answer.body.token}` };
    const own = { authorization: `Bearer ${exchange.admin.secret}` };
    const made = await exchange.service.call('POST', '/v1/keys', { name: 'made with it' }, token);
    expect([made.status, made.body.expires_at]).toEqual([201, end]);
    const keys = await exchange.sql("SELECT id FROM api_keys WHERE origin = 'exchanged'");
    for (const id of [made.body.id, keys[0]?.['id']]) {
      for (const expires_at of [null, new Date(clock.now() + 3_600_000).toISOString()])
        expect(
          code(await exchange.service.call('PATCH', `/v1/keys/${id}`, { scopes: ['*'], expires_at }, own)),
        ).toBe('403 exceeds_own_rights');
      const rotated = await exchange.service.call('POST', `/v1/keys/${id}/rotate`, {}, own);
      expect([rotated.status, rotated.body.expires_at]).toEqual([201, end]);
    }
    clock.advance(121_000);
    expect(code(await exchange.service.call('GET', '/v1/users/me', undefined, token))).toBe(
      '401 expired_key',
    );
  });

  it('token exchange accepts the form-encoded request and returns the response fields that RFC 8693 defines', async () => {
    await start({ token_lifetime_seconds: 200 });
    const form = { grant_type: GRANT, subject_token: await exchange.token(), subject_token_type: JWT_TYPE };
    const post = (fields: Record<string, string>) =>
      exchange.service.call('POST', '/v1/auth/token', new URLSearchParams(fields));
    const answer = await post({ ...form, scope: 'workflows:read users:read' });
    expect(answer.body).toMatchObject({
      token: answer.body.access_token,
      token_type: 'Bearer',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      expires_in: 200,
      scopes: ['workflows:read', 'users:read'],
      scope: 'workflows:read users:read',
    });
    expect(code(await exchange.me(answer.body.access_token))).toBe('200');
    const fresh = async () => ({ ...form, subject_token: await exchange.token() });
    const faults: readonly (readonly [Record<string, string>, string])[] = [
      [{ ...(await fresh()), grant_type: 'password' }, 'grant_type'],
      [{ ...(await fresh()), subject_token_type: 'urn:x' }, 'subject_token_type'],
      [{ ...(await fresh()), actor_token: 'x' }, 'actor_token'],
      [{ ...(await fresh()), requested_token_type: JWT_TYPE }, 'requested_token_type'],
      [{ ...(await fresh()), scope: 'workflows:read billing:write' }, 'scope'],
      [{ grant_type: GRANT, subject_token_type: JWT_TYPE }, 'subject_token'],
    ];
    for (const [fields, field] of faults) {
      const { status, body } = await post(fields);
      expect([status, body.error?.details?.field]).toEqual([400, field]);
    }
    const twice = new URLSearchParams({ ...(await fresh()) });
    twice.append('subject_token', 'another');
    expect((await exchange.service.call('POST', '/v1/auth/token', twice)).status).toBe(400);
  });

  it('token exchange rejects an invalid request and names the invalid field', async () => {
    await start();
    for (const [body, field] of [
      [{}, 'jwt'],
      [{ jwt: 7 }, 'jwt'],
      [{ jwt: '' }, 'jwt'],
      [{ jwt: 'x'.repeat(16_385) }, 'jwt'],
      [{ jwt: 'x', subject_token: 'x' }, 'subject_token'],
    ] as const)
      expect((await exchange.service.call('POST', '/v1/auth/token', body)).body.error.details.field).toBe(
        field,
      );
    expect((await exchange.service.call('POST', '/v1/auth/token')).status).toBe(400);
    expect((await exchange.service.call('GET', '/v1/auth/token')).status).toBe(401);
  });

  it('a JWT can be exchanged only once, even in concurrent requests', async () => {
    await start();
    const jwt = await exchange.token();
    expect(code(await exchange.jwt(jwt))).toBe('200');
    expect(code(await exchange.jwt(jwt))).toBe('401 used_jwt');
    const another = await exchange.token();
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange.jwt(another)));
    expect(answers.map(code).toSorted()).toEqual(['200', ...Array<string>(9).fill('401 used_jwt')]);
    expect(await exchange.sql("SELECT id FROM api_keys WHERE origin = 'exchanged'")).toHaveLength(2);
    // A second JWT with the same `jti` is rejected like a repeated JWT, even if other claims differ.
    const jti = 'the same';
    expect(code(await exchange.exchange({ jti }))).toBe('200');
    expect(code(await exchange.exchange({ jti, scope: 'other' }))).toBe('401 used_jwt');
  });

  it('the service stores the id of a used JWT until the JWT expires, and later deletes the id', async () => {
    await start({ token_lifetime_seconds: 60 });
    const jwt = await exchange.token();
    await exchange.jwt(jwt);
    exchange.service.clock.advance(359_000);
    await exchange.exchange({ jti: 'second' });
    expect(code(await exchange.jwt(jwt))).toBe('401 used_jwt');
    exchange.service.clock.advance(61_000);
    await exchange.exchange({ jti: 'third' });
    expect(code(await exchange.jwt(jwt))).toBe('401 expired_jwt');
    await expect.poll(() => exchange.sql('SELECT jti_hash FROM used_tokens')).toHaveLength(2);
    exchange.service.clock.advance(25 * 3_600_000);
    await exchange.exchange();
    await expect
      .poll(() => exchange.sql("SELECT id FROM api_keys WHERE origin = 'exchanged'"))
      .toHaveLength(1);
    expect(await exchange.sql("SELECT id FROM api_keys WHERE origin = 'created'")).toHaveLength(1);
  });

  it('a JWT gives access to the account with its email address only if the address is verified', async () => {
    await start();
    expect(code(await exchange.exchange({ email_verified: false }))).toBe('401 unknown_subject');
    expect(code(await exchange.exchange({ email_verified: 'true' }))).toBe('401 unknown_subject');
    expect(code(await exchange.exchange({ email: undefined }))).toBe('401 unknown_subject');
    expect(code(await exchange.exchange({ email: 'nobody@example.com' }))).toBe('401 unknown_subject');
    expect(code(await exchange.exchange())).toBe('200');
    // The first JWT linked its subject to the account, so the service ignores the email address of later JWTs.
    const moved = await exchange.exchange({ email: 'moved@example.com', email_verified: false });
    expect((await exchange.me(moved.body.token)).body.id).toBe(exchange.admin.user.id);
    await exchange.service.change({ sql: 'UPDATE users SET disabled_at = created_at', parameters: [] });
    expect(code(await exchange.exchange())).toBe('401 unknown_subject');
    expect(code(await exchange.me(moved.body.token))).toBe('401 invalid_key');
  });

  it('concurrent JWTs of an unknown subject create one user if the issuer may create users', async () => {
    await start({ provision: true, link_by_email: false, default_role: 'viewer', claims: { team: 'team' } });
    const { id: team } = exchange.admin.team;
    const newcomer = { sub: 'new', email: 'New@Example.com', team };
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange.exchange(newcomer)));
    expect(answers.map(code)).toEqual(Array<string>(5).fill('200'));
    expect(await exchange.sql("SELECT name FROM users WHERE email = 'new@example.com'")).toEqual([
      { name: 'Grace Hopper' },
    ]);
    const me = await exchange.me(answers[0]?.body.token);
    expect(me.body).toMatchObject({ email: 'new@example.com', teams: [{ id: team, role: 'viewer' }] });
    expect(me.body.scopes).not.toContain('workflows:write');
    expect(code(await exchange.exchange({ team }))).toBe('401 unknown_subject');
    expect(code(await exchange.exchange({ sub: 'lost', email: 'lost@example.com' }))).toBe(
      '403 not_a_member',
    );
    expect(await exchange.sql("SELECT id FROM users WHERE email = 'lost@example.com'")).toEqual([]);
  });

  it('a token from an exchange has only scopes that both the JWT and the role of the user grant', async () => {
    await start({
      claims: { role: 'realm.roles', scopes: 'https://example.com/scopes', team: 'org' },
      roles: { engineers: 'member' },
      teams: { here: UNKNOWN_ID },
      allow_owner: true,
    });
    const scopes = async (claims: object) => {
      const answer = await exchange.exchange(claims);
      return answer.status === 200 ? answer.body.scopes : code(answer);
    };
    const named = (said: unknown) => ({ 'https://example.com/scopes': said });
    expect(await scopes(named('workflows:read openid audit:read'))).toEqual(['workflows:read', 'audit:read']);
    expect(await scopes(named(['workflows:read', 'audit:read']))).toEqual(['workflows:read', 'audit:read']);
    const engineer = { realm: { roles: ['visitors', 'engineers'] } };
    expect(await scopes({ ...engineer, ...named('workflows:write audit:read') })).toEqual([
      'workflows:write',
    ]);
    const all = await scopes({ ...engineer, ...named('*') });
    expect(all).toContain('workflows:write');
    expect(all).not.toContain('teams:write');
    expect(await scopes(named('openid'))).toBe('403 no_scope');
    expect(await scopes({})).toBe('403 no_scope');
    expect(await scopes({ ...named('*'), org: 'here' })).toBe('403 not_a_member');
    expect(await scopes({ ...named('*'), org: 'nowhere' })).toBe('403 not_a_member');
    await exchange.service.change({ sql: "UPDATE team_members SET role = 'viewer'", parameters: [] });
    const lowered = await scopes({ realm: { roles: 'owner' }, ...named('*') });
    expect(lowered).toContain('workflows:read');
    expect(lowered).not.toContain('workflows:write');
  });

  describe('with an issuer that is bound to teams', () => {
    let ownTeam: string;
    let otherTeam: string;

    const bound = async (issuer: (team: string) => object): Promise<void> => {
      const first = await ClockedService.start({}, database.settings);
      const admin = await first.app.get(FirstAdminService, { strict: false }).create({ email: GRACE });
      ownTeam = admin.team.id;
      const other = await first.call(
        'POST',
        '/v1/teams',
        { name: 'Other' },
        { authorization: `Bearer ${admin.secret}` },
      );
      otherTeam = other.body.id;
      await first.close();
      exchange = await Exchange.start(provider, { any_team: false, ...issuer(ownTeam) }, database, admin);
    };
    const team = async (claims: object) => {
      const answer = await exchange.exchange(claims);
      return answer.status === 200 ? (await exchange.me(answer.body.token)).body.team_id : code(answer);
    };

    it('a JWT can select only a team that the configuration of its issuer lists', async () => {
      await bound((own) => ({ claims: { team: 'org' }, teams: { acme: own } }));
      expect(otherTeam).toMatch(/^[0-9a-f-]{36}$/);
      expect(await team({ org: 'acme' })).toBe(ownTeam);
      expect(await team({ org: ['unlisted', 'acme'] })).toBe(ownTeam);
      for (const org of [otherTeam, ownTeam, 'unlisted', ['unlisted'], 7, { a: 1 }, '__proto__', 'toString'])
        expect(await team({ org })).toBe('403 team_not_allowed');
      expect(await exchange.sql("SELECT id FROM api_keys WHERE origin = 'exchanged'")).toHaveLength(2);
    });

    it('a JWT without a team gives access to the default team of the issuer, or to the only team that the issuer allows', async () => {
      await bound((own) => ({ claims: { team: 'org' }, default_team: own }));
      expect(await team({})).toBe(ownTeam);
      expect(await team({ org: '' })).toBe(ownTeam);
      expect(await team({ org: otherTeam })).toBe('403 team_not_allowed');
      await exchange.service.close();
      await database.drop();
      database = await create();
      await bound((own) => ({ teams: { acme: own } }));
      expect(await team({})).toBe(ownTeam);
      await exchange.service.change({
        sql: `DELETE FROM team_members WHERE team_id = '${ownTeam}'`,
        parameters: [],
      });
      expect(await team({})).toBe('403 not_a_member');
    });

    it('a JWT of an issuer with `any_team` gives access to every team of the user', async () => {
      await bound(() => ({ claims: { team: 'org' }, any_team: true }));
      expect(await team({ org: otherTeam })).toBe(otherTeam);
      expect(await team({ org: UNKNOWN_ID })).toBe('403 not_a_member');
    });

    it('a JWT can grant only roles that its issuer lists, and the role owner only with `allow_owner`', async () => {
      const claims = {
        claims: { role: 'roles' },
        roles: { boss: 'owner', staff: 'member' },
        provision: true,
      };
      await bound((own) => ({ ...claims, default_team: own }));
      const roleOf = async (roles: unknown) => {
        const sub = `s-${JSON.stringify(roles)}`;
        const email = `p${Buffer.from(sub).toString('hex')}@example.com`;
        const answer = await exchange.exchange({ sub, email, roles });
        if (answer.status !== 200) return code(answer);
        return (await exchange.me(answer.body.token)).body.teams[0].role;
      };
      expect(await roleOf('staff')).toBe('member');
      expect(await roleOf(['boss', 'staff', 'visitors'])).toBe('member');
      for (const roles of ['boss', 'owner', 'admin', 'member', ['visitors'], 7])
        expect(await roleOf(roles)).toBe('403 role_not_allowed');
      expect(await exchange.sql("SELECT user_id FROM team_members WHERE role = 'owner'")).toHaveLength(2);
      await exchange.service.close();
      exchange = await Exchange.start(
        provider,
        { ...claims, default_team: ownTeam, any_team: false, allow_owner: true },
        database,
        exchange.admin,
      );
      expect(await roleOf(['boss'])).toBe('owner');
    });
  });

  it('the command `issuers revoke` makes all tokens of an issuer invalid', async () => {
    await start();
    const { service } = exchange;
    const tokens = [(await exchange.exchange()).body.token, (await exchange.exchange()).body.token];
    const made = await service.call(
      'POST',
      '/v1/keys',
      { name: 'made with it' },
      { authorization: `Bearer ${tokens[0]}` },
    );
    tokens.push(made.body.key);
    for (const token of tokens) expect(code(await exchange.me(token))).toBe('200');
    const command = async (...words: readonly string[]) => {
      let [out, err] = ['', ''];
      const { settings } = database;
      const exitCode = await runProgram(['issuers', 'revoke', ...words], {
        environment: () => ({
          DATABASE_URL: settings.dialect === 'sqlite' ? `sqlite://${settings.path}` : settings.url,
        }),
        out: (text) => (out += text),
        err: (text) => (err += text),
      });
      return { exitCode, out, err };
    };
    expect(await command('https://other.example.com')).toMatchObject({ exitCode: 1, out: '' });
    expect(code(await exchange.me(tokens[0]))).toBe('200');
    expect(await command(provider.issuer, '--json')).toEqual({
      exitCode: 0,
      out: expect.stringContaining('"revoked": 3'),
      err: '',
    });
    // The service may use cached tokens for half a second after the command changed the database, so the test advances
    // the clock by 500 ms.
    service.clock.advance(500);
    for (const token of tokens) expect(code(await exchange.me(token))).toBe('401 invalid_key');
    expect(code(await exchange.me(exchange.admin.secret))).toBe('200');
    const log = await service.call('GET', '/v1/audit-log?action=issuer.revoked', undefined, {
      authorization: `Bearer ${exchange.admin.secret}`,
    });
    expect(log.body.data).toMatchObject([
      {
        actor: { user_id: null, key_id: null },
        target: { type: 'team', id: exchange.admin.team.id },
        after: { issuer: provider.issuer, tokens: 3 },
      },
    ]);
    expect(code(await exchange.exchange())).toBe('200');
  });
});

describe.each([
  ['no configured type', {}, [undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt']],
  ['a configured type', { typ: 'acme+jwt' }, ['acme+jwt', 'application/acme+jwt']],
])('the JWT types of an issuer with %s', (_, issuer, accepted) => {
  it('token exchange accepts only a JWT with an allowed `typ` header', async () => {
    const provider = await IdentityProvider.start();
    const exchange = await Exchange.start(provider, issuer);
    try {
      for (const typ of accepted)
        expect([typ, code(await exchange.exchange({}, { header: { typ } }))]).toEqual([typ, '200']);
      const others = ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'application/logout+jwt', 'JWE', '', 7];
      const refused = [...others, ...(accepted.includes('JWT') ? ['acme+jwt', null] : ['JWT', undefined])];
      for (const typ of refused)
        expect([typ, code(await exchange.exchange({}, { header: { typ } }))]).toEqual([
          typ,
          '401 invalid_jwt',
        ]);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      expect(code(await exchange.exchange({ events }, { header: { typ: accepted[1] } }))).toBe(
        '401 invalid_jwt',
      );
    } finally {
      await exchange.service.close();
      await provider.close();
    }
  });
});

describe('an invalid JWT', () => {
  let provider: IdentityProvider;
  let exchange: Exchange;
  let rsa: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  let weak: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  let otherAlgorithm: SigningKey;
  let evilRequests = 0;
  const evil = createServer((_request, response) => {
    evilRequests += 1;
    response.end('{"keys":[]}');
  });

  beforeAll(async () => {
    provider = await IdentityProvider.start();
    otherAlgorithm = await signingKey('ps', 'PS256');
    provider.keys = [...provider.keys, otherAlgorithm];
    rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const good = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'raw' };
    const short = { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak' };
    const broken = { kty: 'RSA', n: '!', e: 'AQAB', kid: 'broken' };
    const shared = { kty: 'oct', k: Buffer.from('x'.repeat(32)).toString('base64url'), kid: 'shared' };
    provider.behavior = (_, response) =>
      response.end(
        JSON.stringify({ keys: [...provider.keys.map(({ jwk }) => jwk), good, short, broken, shared] }),
      );
    exchange = await Exchange.start(provider, {
      algorithms: ['RS256', 'ES256'],
      typ: 'at+jwt',
      max_age_seconds: 600,
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await exchange.service.close();
    await provider.close();
    evil.close();
  });

  const TYP = { typ: 'at+jwt' };
  const seconds = () => Math.floor(exchange.service.clock.now() / 1000);
  const good = (claims?: object, header: object = {}) =>
    exchange.token(claims, { header: { ...TYP, ...header } });

  /** A JWT with a valid signature. `change` edits the JSON text of the payload, and `header` overrides header fields. */
  function raw(change: (payload: string) => string, header: object = {}, key = rsa.privateKey): string {
    const payload = JSON.stringify(provider.claims(exchange.service.clock.now()));
    return rawToken(JSON.stringify({ alg: 'RS256', kid: 'raw', ...TYP, ...header }), change(payload), key);
  }
  const withClaim = (name: string, json: string) =>
    raw((payload) => payload.replace(new RegExp(`"${name}":(?:"[^"]*"|[^,}]*)`), `"${name}":${json}`));

  const unsigned = (header: object) => {
    const [, payload = ''] = raw((text) => text).split('.');
    return `${Buffer.from(JSON.stringify({ ...TYP, ...header })).toString('base64url')}.${payload}.`;
  };
  const hmac = async (secret: string | Uint8Array, kid: string) =>
    new SignJWT({ ...provider.claims(exchange.service.clock.now()) })
      .setProtectedHeader({ alg: 'HS256', kid, ...TYP })
      .sign(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret);

  const FORGERIES: Readonly<Record<string, () => string | Promise<string>>> = {
    'the text "nonsense" in place of a JWT': () => 'nonsense',
    'three dots in place of a JWT': () => '...',
    'a header and a payload that are not JSON': () => rawToken('x', 'y', rsa.privateKey),
    'a list as payload': () => raw(() => '[]'),
    'null as payload': () => raw(() => 'null'),
    'null as header': () => rawToken('null', '{}', rsa.privateKey),
    'alg none': () => unsigned({ alg: 'none' }),
    'alg None': () => unsigned({ alg: 'None' }),
    'alg none with a kid': () => unsigned({ alg: 'none', kid: 'raw' }),
    'no alg': () => unsigned({ kid: 'raw' }),
    'no signature': async () => `${(await good()).split('.').slice(0, 2).join('.')}.`,
    'HS256 with the public key as secret': async () =>
      hmac(
        await exportSPKI(
          await importSPKI(rsa.publicKey.export({ format: 'pem', type: 'spki' }).toString(), 'RS256', {
            extractable: true,
          }),
        ),
        'raw',
      ),
    'HS256 with a shared key of the set': () => hmac('x'.repeat(32), 'shared'),
    'an algorithm that is not configured': () => exchange.token({}, { key: otherAlgorithm, header: TYP }),
    'a changed payload': async () => {
      const [header, payload = '', signature] = (await good()).split('.');
      const changed = Buffer.from(payload, 'base64url').toString().replace('subject-1', 'subject-2');
      return [header, Buffer.from(changed).toString('base64url'), signature].join('.');
    },
    'a signature by an unknown key': async () => {
      const key = await signingKey('first');
      return exchange.token({}, { key, header: TYP });
    },
    'an unknown kid': () => good({}, { kid: 'unknown' }),
    'a kid that is a number': () => raw((text) => text, { kid: 7 }),
    'a kid that is a path': () => raw((text) => text, { kid: '../../etc/passwd' }),
    'no kid although several keys match': () => raw((text) => text, { kid: undefined }),
    'an unknown issuer': () => good({ iss: 'https://id.example.com' }),
    'an issuer with a slash appended': () => good({ iss: `${provider.issuer}/` }),
    'no issuer': () => good({ iss: undefined }),
    'a list of issuers': () => good({ iss: [provider.issuer] }),
    'an audience that is a different service': () => good({ aud: 'another-service' }),
    'a list of audiences without this service': () => good({ aud: ['a', 'b'] }),
    'no audience': () => good({ aud: undefined }),
    'an audience that is an object': () => good({ aud: { a: 1 } }),
    'no exp': () => good({ exp: undefined }),
    'exp 1e400': () => withClaim('exp', '1e400'),
    'exp as a string': () => withClaim('exp', '"4102444800"'),
    'exp null': () => withClaim('exp', 'null'),
    'no iat': () => good({ iat: undefined }),
    'iat 1e400': () => withClaim('iat', '1e400'),
    'iat as a string': () => withClaim('iat', '"1"'),
    'iat in the future': () => good({ iat: seconds() + 61 }),
    'nbf in the future': () => good({ nbf: seconds() + 61 }),
    'nbf as a string': () => good({ nbf: 'now' }),
    'nbf 1e400': () => raw((text) => text.replace('{', '{"nbf":1e400,')),
    'no sub': () => good({ sub: undefined }),
    'an empty sub': () => good({ sub: '' }),
    'a blank sub': () => good({ sub: ' ' }),
    'a sub that is a number': () => withClaim('sub', '7'),
    'a sub with a lone surrogate': () => withClaim('sub', '"\\ud800"'),
    'a sub with a NUL': () => withClaim('sub', '"a\\u0000"'),
    'a sub of 3,000 characters': () => good({ sub: 'x'.repeat(3_000) }),
    'no jti': () => good({ jti: undefined }),
    'an empty jti': () => good({ jti: '' }),
    'a jti that is a list': () => withClaim('jti', '["a"]'),
    'a typ that is not configured': () => good({}, { typ: 'JWT' }),
    'no typ': () => good({}, { typ: undefined }),
    'a critical extension': () => raw((text) => text, { crit: ['exp'], exp: 1 }),
    'a critical b64': () => raw((text) => text, { crit: ['b64'], b64: true }),
    'an empty crit': () => raw((text) => text, { crit: [] }),
    'its own key in the header and an unknown kid': () => {
      const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = own.publicKey.export({ format: 'jwk' });
      return raw((text) => text, { jwk, kid: 'own' }, own.privateKey);
    },
    'its own key in the header and a known kid': () => {
      const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return raw((text) => text, { jwk: own.publicKey.export({ format: 'jwk' }) }, own.privateKey);
    },
    'a key of 1024 bits': () => raw((text) => text, { kid: 'weak' }, weak.privateKey),
    'a key that cannot be read': () => raw((text) => text, { kid: 'broken' }),
    'an encrypted payload': () => 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAA.AAAA.AAAA',
  };

  it.each(Object.keys(FORGERIES))('token exchange rejects a JWT with %s', async (name) => {
    const answer = await exchange.jwt(await FORGERIES[name]?.());
    expect(code(answer)).toBe('401 invalid_jwt');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(JSON.stringify(answer.body)).not.toMatch(/jose|crypto|stack|exp|kid/i);
  });

  it('token exchange rejects a JWT that expired at least one minute ago', async () => {
    expect(code(await exchange.jwt(await good({ exp: seconds() - 59 })))).toBe('200');
    expect(code(await exchange.jwt(await good({ exp: seconds() - 60 })))).toBe('401 expired_jwt');
    expect(code(await exchange.jwt(await good({ iat: seconds() - 659, exp: seconds() + 9_999 })))).toBe(
      '200',
    );
    expect(code(await exchange.jwt(await good({ iat: seconds() - 661, exp: seconds() + 9_999 })))).toBe(
      '401 expired_jwt',
    );
    expect(code(await exchange.jwt(withClaim('iat', '-1e400')))).toBe('401 expired_jwt');
    expect(code(await exchange.jwt(await good({ iat: seconds() + 59, nbf: seconds() + 59 })))).toBe('200');
  });

  it('token exchange sends no request to a URL in the header of a JWT', async () => {
    const url = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
    for (const header of [{ jku: url }, { x5u: url }, { jku: url, kid: 'unknown' }, { kid: url }])
      await exchange.jwt(raw((text) => text, header));
    expect(evilRequests).toBe(0);
  });

  it('token exchange accepts a valid JWT with one or several audiences', async () => {
    expect(code(await exchange.jwt(await good()))).toBe('200');
    expect(code(await exchange.jwt(await good({ aud: ['another', provider.audience] })))).toBe('200');
    expect(code(await exchange.jwt(raw((text) => text)))).toBe('200');
  });

  it('too many invalid JWTs from an IP address do not block valid JWTs from the same address', async () => {
    const attempt = () => exchange.jwt('nonsense');
    let answer = await attempt();
    for (let count = 0; count < 100 && answer.status === 401; count += 1) answer = await attempt();
    expect(code(answer)).toBe('429 too_many_failed_authentications');
    const jwt = await good();
    expect(code(await exchange.jwt(jwt))).toBe('200');
    expect(code(await exchange.jwt(jwt))).toBe('429 too_many_failed_authentications');
    exchange.service.clock.advance(1_000);
    expect(code(await exchange.jwt(jwt))).toBe('401 used_jwt');
  });
});

describe('the key set of an issuer', () => {
  let provider: IdentityProvider;
  let exchange: Exchange;

  beforeEach(async () => {
    provider = await IdentityProvider.start();
    exchange = await Exchange.start(provider);
  });
  afterEach(async () => {
    await exchange.service.close();
    await provider.close();
  });

  it('the service loads the key set of an issuer only once for concurrent JWTs', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange.exchange()));
    expect(answers.map(code)).toEqual(Array<string>(5).fill('200'));
    await exchange.exchange();
    expect(provider.requests).toBe(1);
  });

  it('the service reloads the key set of an issuer for an unknown key id at most every 30 seconds', async () => {
    await exchange.exchange();
    const second = await signingKey('second', 'ES256');
    provider.keys = [...provider.keys, second];
    for (let count = 0; count < 5; count += 1)
      expect(code(await exchange.exchange({}, { key: second }))).toBe('401 invalid_jwt');
    expect(provider.requests).toBe(1);
    exchange.service.clock.advance(30_000);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => exchange.exchange({}, { key: second })),
    );
    expect(answers.map(code)).toEqual(Array<string>(5).fill('200'));
    for (let count = 0; count < 5; count += 1)
      expect(code(await exchange.exchange({}, { header: { kid: 'made up' } }))).toBe('401 invalid_jwt');
    expect(provider.requests).toBe(2);
  });

  it('the service rejects a signing key ten minutes after the token issuer removed the key from its key set', async () => {
    const [first] = provider.keys;
    await exchange.exchange();
    provider.keys = [await signingKey('second')];
    exchange.service.clock.advance(599_999);
    expect(code(await exchange.exchange({}, { key: first }))).toBe('200');
    exchange.service.clock.advance(1);
    expect(code(await exchange.exchange({}, { key: first }))).toBe('401 invalid_jwt');
    expect(code(await exchange.exchange())).toBe('200');
  });

  it('the service accepts cached keys of an issuer while the issuer is unreachable', async () => {
    await exchange.exchange();
    provider.leave();
    exchange.service.clock.advance(3_600_000);
    expect(code(await exchange.exchange())).toBe('200');
    expect(code(await exchange.exchange({}, { header: { kid: 'unknown' } }))).toBe('401 invalid_jwt');
    provider.comeBack();
  });

  it('token exchange responds 503 while the key set of the issuer cannot be loaded', async () => {
    provider.leave();
    for (let count = 0; count < 105; count += 1) {
      const answer = await exchange.exchange();
      expect(code(answer)).toBe('503 unavailable');
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.body.error.message).not.toContain('127.0.0.1');
    }
    provider.comeBack();
    expect(code(await exchange.exchange())).toBe('503 unavailable');
    exchange.service.clock.advance(5_000);
    expect(code(await exchange.exchange())).toBe('200');
  });

  const LIES: Readonly<Record<string, (real: IdentityProvider) => IdentityProvider['behavior']>> = {
    'HTTP 500': (real) => (request, response) => {
      response.statusCode = 500;
      real.honest(request, response);
    },
    'an HTML page': () => (_, response) =>
      response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'),
    'half of the key set': () => (_, response) => response.end('{"keys":[{"kty":'),
    'keys that are not a list': () => (_, response) => response.end('{"keys":{}}'),
    'keys that are not objects': () => (_, response) => response.end('{"keys":[null,"a"]}'),
    'a list in place of an object': () => (_, response) => response.end('[]'),
    'an empty body': () => (_, response) => response.end(),
    'a closed connection': () => (request) => request.socket.destroy(),
    'a body that ends early': () => (request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"keys":[', () => request.socket.destroy());
    },
    'an endless body': () => (_, response) => {
      const chunk = Buffer.alloc(65_536, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
    'a body that is too large': (real) => (_, response) => {
      const keys = real.keys.map(({ jwk }) => jwk);
      response.end(JSON.stringify({ keys, padding: ' '.repeat(262_144) }));
    },
    'too many keys': () => (_, response) =>
      response.end(
        JSON.stringify({
          keys: Array.from({ length: 101 }, (_unused, kid) => ({ kty: 'RSA', kid: String(kid) })),
        }),
      ),
    'a redirect': (real) => (request, response) => {
      if (request.url === '/elsewhere') return real.honest(request, response);
      response.writeHead(302, { location: '/elsewhere' }).end();
    },
    'no bytes at all': () => () => undefined,
  };

  it.each(Object.keys(LIES))(
    'token exchange responds 503 if the key set of an issuer cannot be loaded: the issuer responds with %s',
    async (name) => {
      provider.behavior = LIES[name]?.(provider) ?? provider.honest;
      expect(code(await exchange.exchange())).toBe('503 unavailable');
      exchange.service.clock.advance(5_000);
      provider.behavior = provider.honest;
      expect(code(await exchange.exchange())).toBe('200');
      provider.behavior = LIES[name]?.(provider) ?? provider.honest;
      exchange.service.clock.advance(600_000);
      expect(code(await exchange.exchange())).toBe('200');
    },
  );

  it('the setting TOKEN_ISSUERS can contain the key set of an issuer instead of the URL of the key set', async () => {
    const inline = await Exchange.start(provider, {
      jwks_url: undefined,
      jwks: { keys: provider.keys.map(({ jwk }) => jwk) },
    });
    try {
      expect(code(await inline.exchange())).toBe('200');
      expect(code(await inline.exchange({}, { header: { kid: 'unknown' } }))).toBe('401 invalid_jwt');
      expect(provider.requests).toBe(0);
    } finally {
      await inline.service.close();
    }
  });
});

describe('TOKEN_ISSUERS', () => {
  const issuer = {
    issuer: 'https://id.example.com',
    audience: 'a',
    jwks_url: 'https://id.example.com/jwks',
    default_team: UNKNOWN_ID,
  };
  const read = (issuers: readonly object[], NODE_ENV = 'development') =>
    checkedSettings({ NODE_ENV, TOKEN_ISSUERS: JSON.stringify(issuers) });

  it.each([
    ['a symmetric algorithm', [{ ...issuer, algorithms: ['HS256'] }]],
    ['no key set', [{ ...issuer, jwks_url: undefined }]],
    ['both jwks and jwks_url', [{ ...issuer, jwks: { keys: [] } }]],
    ['a key set URL that is not http', [{ ...issuer, jwks_url: 'file:///etc/passwd' }]],
    ['the same name as a second issuer', [issuer, issuer]],
    ['an unknown scope', [{ ...issuer, default_scopes: ['everything'] }]],
    ['a private key', [{ ...issuer, jwks_url: undefined, jwks: { keys: [{ kty: 'RSA', d: 'x' }] } }]],
    ['an unknown role', [{ ...issuer, roles: { a: 'king' } }]],
    ['no team', [{ ...issuer, default_team: undefined }]],
    ['owner as the default role', [{ ...issuer, default_role: 'owner' }]],
    ['an unknown field', [{ ...issuer, audiences: ['a'] }]],
  ])(
    'the service does not start if TOKEN_ISSUERS contains an invalid token issuer: an issuer with %s',
    (_, issuers) => {
      expect(() => read(issuers)).toThrow(/TOKEN_ISSUERS/);
    },
  );

  it('a key set URL over plain http is rejected in production and accepted in development', () => {
    const plain = { ...issuer, jwks_url: 'http://id.example.com/jwks' };
    expect(() => read([plain], 'production')).toThrow(/https in production/);
    expect(read([plain]).TOKEN_ISSUERS).toHaveLength(1);
    expect(readSettings({}).TOKEN_ISSUERS).toEqual([]);
  });
});
