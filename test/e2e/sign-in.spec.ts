import type { IncomingMessage } from 'node:http';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DashboardAuthenticator, FirstAdminService } from '../../src/auth/index.js';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import type { Role } from '../../src/access/index.js';
import { SignInThrottle } from '../../src/rate-limits/index.js';
import { TeamsService } from '../../src/teams/index.js';
import { UsersService } from '../../src/users/index.js';
import { Browser } from '../support/browser.js';
import { type ClockedAnswer, ClockedService, code } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';

const ADA = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' };
const NEW_PASSWORD = 'a much longer sentence';
const UNKNOWN_ID = '0199c2a4-7f1e-7c3a-9f52-6d1b8e0a4c11';
const HOUR_MS = 3_600_000;

describe.each(await databaseKinds())('sign-in on $name', ({ create }) => {
  let database: TestDatabase;
  let service: ClockedService;
  let admin: FirstAdmin;
  let browser: Browser;

  beforeEach(async () => {
    database = await create();
    service = await ClockedService.start({}, database.settings);
    admin = await service.app.get(FirstAdminService, { strict: false }).create(ADA);
    browser = new Browser(service);
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  async function signedIn(): Promise<Browser> {
    const other = new Browser(service);
    expect(code(await other.signIn(ADA.email, ADA.password))).toBe('200');
    return other;
  }

  async function person(email: string, role: Role): Promise<string> {
    const users = service.app.get(UsersService, { strict: false });
    const { user, writes } = await users.prepare({ email, password: ADA.password });
    const joining = service.app
      .get(TeamsService, { strict: false })
      .joining(admin.team.id, user.id, role, () => new Error('twice'));
    await service.change(...writes, ...joining);
    return user.id;
  }

  /**
   * Simulates failed sign-ins to an account from many IP addresses, including the address of this test. The service then
   * rejects unknown devices for eight seconds.
   */
  function storm(account: string): void {
    const throttle = service.app.get(SignInThrottle, { strict: false });
    const addresses = Array.from({ length: 12 }, (_, host) => `198.51.100.${host}`);
    for (const address of [...addresses, ...Array<string>(3).fill('127.0.0.1')])
      throttle.admit({ account, address, device: null }).catch(() => undefined);
  }

  async function rows(): Promise<string> {
    return JSON.stringify(
      await service.app.get(DataSource, { strict: false }).query('SELECT * FROM sign_ins'),
    );
  }

  describe('by password', () => {
    it('a sign-in sets an HttpOnly cookie and returns the user with the teams of the user', async () => {
      const answer = await browser.signIn(' ADA@example.com', ADA.password);
      expect(answer.body).toEqual({
        user: { id: admin.user.id, email: ADA.email, name: 'Ada' },
        teams: [
          {
            id: admin.team.id,
            name: admin.team.name,
            role: 'owner',
            scopes: expect.arrayContaining(['workflows:write', 'teams:write', 'audit:read']),
          },
        ],
        team_id: admin.team.id,
        csrf_token: expect.any(String),
        expires_at: new Date(service.clock.now() + 7 * 24 * HOUR_MS).toISOString(),
      });
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^workflow_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
        ),
        expect.stringMatching(/^workflow_known_device=/),
      ]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const secret = browser.cookie?.split('=')[1] ?? '';
      expect(JSON.stringify(answer.body)).not.toContain(secret);
      const kept = await rows();
      expect(kept).not.toContain(secret);
      expect(kept).not.toContain(browser.csrfToken);
    });

    it('an unknown email address, a wrong password and a disabled user get the same sign-in error', async () => {
      const offId = await person('off@example.com', 'member');
      await service.change({
        sql: `UPDATE users SET disabled_at = created_at WHERE id = '${offId}'`,
        parameters: [],
      });
      const answers = [
        await browser.signIn('nobody@example.com', ADA.password),
        await browser.signIn(ADA.email, 'wrong'),
        await browser.signIn('off@example.com', ADA.password),
        await browser.signIn('no address', ADA.password),
      ];
      for (const { status, body, headers } of answers) {
        expect([status, body.error.code, headers.getSetCookie()]).toEqual([401, 'invalid_credentials', []]);
        expect(body.error.message).toBe(answers[0]?.body.error.message);
      }
    });

    it('after five wrong passwords, a sign-in with the correct password still succeeds', async () => {
      for (let count = 0; count < 5; count += 1)
        expect(code(await browser.signIn(ADA.email.toUpperCase(), 'wrong'))).toBe('401 invalid_credentials');
      const [unknown, known] = await Promise.all([
        new Browser(service).signIn('nobody@example.com', 'wrong'),
        new Browser(service).signIn(ADA.email, ADA.password),
      ]);
      expect(code(unknown)).toBe('401 invalid_credentials');
      expect(code(known)).toBe('200');
    });

    it('during an attack on an account, a known device can sign in and an unknown device gets 429', async () => {
      await person('bob@example.com', 'member');
      const bob = new Browser(service);
      await bob.signIn('bob@example.com', ADA.password);
      await browser.signIn(ADA.email, ADA.password);
      storm(ADA.email);
      expect(code(await browser.signIn(ADA.email, 'wrong'))).toBe('401 invalid_credentials');
      expect(code(await browser.signIn(ADA.email, ADA.password))).toBe('200');
      const refused = await new Browser(service).signIn(ADA.email, ADA.password);
      expect(code(refused)).toBe('429 too_many_sign_in_attempts');
      expect(refused.headers.get('retry-after')).toBe('8');
      expect(code(await bob.signIn(ADA.email, ADA.password))).toBe('429 too_many_sign_in_attempts');
      const [name = '', value = ''] = browser.deviceCookie?.split('=') ?? [];
      const [id = '', madeAt = '', signed = ''] = value.split('.');
      const forgeries = [
        `${id}.${madeAt}.`,
        `${id}.${madeAt}.${signed.slice(1)}A`,
        `${id}.zzzzzz.${signed}`,
        `${id.slice(1)}x.${madeAt}.${signed}`,
        '~~~~~~~~',
      ];
      const answers = await Promise.all(
        forgeries.map((forged) => {
          const other = new Browser(service);
          other.deviceCookie = `${name}=${forged}`;
          return other.signIn(ADA.email, ADA.password);
        }),
      );
      expect(answers.map(code)).toEqual(forgeries.map(() => '429 too_many_sign_in_attempts'));
      service.clock.advance(180 * 24 * HOUR_MS);
      storm(ADA.email);
      expect(code(await browser.signIn(ADA.email, ADA.password))).toBe('429 too_many_sign_in_attempts');
    });

    it('the cookie of a known device contains one entry for each account that signed in on the device', async () => {
      const answer = await browser.signIn(ADA.email, ADA.password);
      expect(answer.headers.getSetCookie()[1]).toMatch(
        /^workflow_known_device=[\w-]{22}\.[0-9a-z]+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
      );
      await person('bob@example.com', 'member');
      await browser.signIn('bob@example.com', ADA.password);
      await browser.signIn('bob@example.com', ADA.password);
      expect(browser.deviceCookie?.split('~')).toHaveLength(2);
      await browser.call('POST', '/v1/auth/sign-out');
      for (const email of [ADA.email, 'bob@example.com']) {
        storm(email);
        expect(code(await browser.signIn(email, ADA.password))).toBe('200');
      }
    });

    it('invalid API keys from an IP address do not block a sign-in from the same address', async () => {
      const headers = { authorization: 'Bearer nonsense' };
      for (let count = 0; count < 101; count += 1)
        await service.call('GET', '/v1/workflows', undefined, headers);
      expect(code(await service.call('GET', '/v1/workflows', undefined, headers))).toBe(
        '429 too_many_failed_authentications',
      );
      expect(code(await browser.signIn(ADA.email, ADA.password))).toBe('200');
      expect(code(await browser.call('GET', '/v1/workflows'))).toBe('200');
    });

    it('a second sign-in of a browser sets a new cookie and makes the previous cookie invalid', async () => {
      await browser.signIn(ADA.email, ADA.password);
      const { cookie = '', csrfToken = '' } = browser;
      await browser.signIn(ADA.email, ADA.password);
      expect(browser.cookie).not.toBe(cookie);
      expect(code(await browser.call('GET', '/v1/auth/sign-in'))).toBe('200');
      expect(
        code(await service.call('GET', '/v1/auth/sign-in', undefined, { cookie, 'x-csrf-token': csrfToken })),
      ).toBe('401 sign_in_ended');
    });

    it('a sign-in replaces a sign-in cookie that an attacker has set in the browser', async () => {
      browser.cookie = 'workflow_sign_in=chosen-by-somebody-else';
      await browser.signIn(ADA.email, ADA.password);
      expect(browser.cookie).not.toContain('chosen');
      expect(
        code(
          await service.call('GET', '/v1/auth/sign-in', undefined, {
            cookie: 'workflow_sign_in=chosen-by-somebody-else',
          }),
        ),
      ).toBe('401 sign_in_ended');
    });
  });

  describe('the sign-in cookie', () => {
    const workflow = { name: 'made in the dashboard' };
    const createWith = (headers: Readonly<Record<string, string | undefined>>): Promise<ClockedAnswer> => {
      const all = Object.entries({ ...browser.headers(), ...headers });
      const given = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
      return service.call('POST', '/v1/workflows', workflow, Object.fromEntries(given));
    };

    beforeEach(async () => {
      await browser.signIn(ADA.email, ADA.password);
    });

    it('a request with a sign-in cookie has the rights that the role of the user grants', async () => {
      const made = await createWith({});
      expect(made.status).toBe(201);
      expect(made.headers.get('x-ratelimit-limit')).not.toBe(null);
      expect(code(await browser.call('GET', `/v1/workflows/${made.body.id}`))).toBe('200');
      await person('vera@example.com', 'viewer');
      const viewer = new Browser(service);
      await viewer.signIn('vera@example.com', ADA.password);
      expect(code(await viewer.call('GET', '/v1/workflows'))).toBe('200');
      expect(code(await viewer.call('POST', '/v1/workflows', workflow))).toBe('403 missing_scope');
    });

    it('a request with a sign-in cookie can change data only with the CSRF token of the sign-in', async () => {
      const other = await signedIn();
      expect(code(await createWith({ 'x-csrf-token': undefined }))).toBe('403 invalid_csrf_token');
      expect(code(await createWith({ 'x-csrf-token': '' }))).toBe('403 invalid_csrf_token');
      expect(code(await createWith({ 'x-csrf-token': `${browser.csrfToken}x` }))).toBe(
        '403 invalid_csrf_token',
      );
      expect(code(await createWith({ 'x-csrf-token': other.csrfToken }))).toBe('403 invalid_csrf_token');
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        expect(
          code(
            await service.call(method, `/v1/workflows/${UNKNOWN_ID}`, undefined, {
              ...browser.headers(),
              'x-csrf-token': 'wrong',
            }),
          ),
        ).toBe('403 invalid_csrf_token');
      expect(code(await createWith({}))).toBe('201');
    });

    it('a page can get the CSRF token of its sign-in from GET /v1/auth/sign-in after a reload', async () => {
      const { body } = await service.call('GET', '/v1/auth/sign-in', undefined, {
        cookie: browser.cookie ?? '',
      });
      expect(body.csrf_token).toBe(browser.csrfToken);
    });

    it('a sign-in cookie is rejected in a request from another origin, even from another port of the host', async () => {
      const port = Number(new URL(service.url).port);
      const foreign = [
        { origin: 'https://evil.example' },
        { origin: `http://127.0.0.1:${port === 80 ? 81 : port - 1}`, 'sec-fetch-site': 'same-site' },
        { origin: `http://127.0.0.1:${port - 1}`, 'sec-fetch-site': undefined },
        { origin: 'null' },
        { origin: '' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'none' },
        { origin: undefined, 'sec-fetch-site': undefined },
      ];
      for (const headers of foreign)
        expect([headers, code(await createWith(headers))]).toEqual([headers, '401 cross_origin']);
      for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }])
        expect(code(await browser.call('GET', '/v1/workflows', undefined, headers))).toBe('401 cross_origin');
      expect(code(await createWith({ origin: undefined }))).toBe('201');
      expect(code(await createWith({ 'sec-fetch-site': undefined }))).toBe('201');
    });

    it('a sign-in cookie is ignored in a request with an Authorization header', async () => {
      const headers = { ...browser.headers(), authorization: 'Bearer nonsense' };
      expect(code(await service.call('GET', '/v1/workflows', undefined, headers))).toBe('401 invalid_key');
      const withKey = { cookie: 'workflow_sign_in=nonsense', authorization: `Bearer ${admin.secret}` };
      expect(code(await service.call('POST', '/v1/workflows', workflow, withKey))).toBe('201');
    });

    it('a request with a malformed or forged sign-in cookie returns 401', async () => {
      for (const cookie of ['workflow_sign_in=x', 'workflow_sign_in=', 'other=1', 'workflow_sign_in'])
        expect((await service.call('GET', '/v1/workflows', undefined, { cookie })).status).toBe(401);
    });

    it('a page of another origin cannot open a WebSocket with the sign-in cookie', async () => {
      const dashboard = service.app.get(DashboardAuthenticator, { strict: false });
      const upgrade = (origin?: string) =>
        dashboard.authenticateUpgrade(
          {
            method: 'GET',
            headers: {
              host: new URL(service.url).host,
              cookie: browser.cookie,
              ...(origin === undefined ? {} : { origin }),
            },
          } as unknown as IncomingMessage,
          '127.0.0.1',
        );
      expect((await upgrade(service.url)).principal).toMatchObject({ keyId: null, userId: admin.user.id });
      await expect(upgrade()).rejects.toMatchObject({ code: 'cross_origin' });
      await expect(upgrade('https://evil.example')).rejects.toMatchObject({ code: 'cross_origin' });
    });

    it('a sign-in cookie expires 12 hours after the last request with the cookie', async () => {
      const read = async () => code(await browser.call('GET', '/v1/auth/sign-in'));
      service.clock.advance(12 * HOUR_MS - 1);
      expect(await read()).toBe('200');
      service.clock.advance(12 * HOUR_MS - 1);
      expect(await read()).toBe('200');
      service.clock.advance(12 * HOUR_MS);
      expect(await read()).toBe('401 sign_in_ended');
    });

    it('a sign-in cookie expires after 7 days even with regular requests', async () => {
      for (let hours = 11; hours < 7 * 24; hours += 11) {
        service.clock.advance(11 * HOUR_MS);
        expect(code(await browser.call('GET', '/v1/auth/sign-in'))).toBe('200');
      }
      service.clock.advance(3 * HOUR_MS);
      expect(code(await browser.call('GET', '/v1/auth/sign-in'))).toBe('401 sign_in_ended');
    });

    it('a sign-in ends when its user leaves the team or is disabled', async () => {
      const id = await person('bob@example.com', 'admin');
      const bob = new Browser(service);
      await bob.signIn('bob@example.com', ADA.password);
      expect(code(await bob.call('GET', '/v1/workflows'))).toBe('200');
      await service.change({
        sql: `UPDATE team_members SET role = 'viewer' WHERE user_id = '${id}'`,
        parameters: [],
      });
      expect(code(await bob.call('POST', '/v1/workflows', workflow))).toBe('403 missing_scope');
      await service.change({ sql: `DELETE FROM team_members WHERE user_id = '${id}'`, parameters: [] });
      expect(code(await bob.call('GET', '/v1/workflows'))).toBe('401 sign_in_ended');
      expect(code(await bob.signIn('bob@example.com', ADA.password))).toBe('403 no_team');
      await service.change({
        sql: `UPDATE users SET disabled_at = created_at WHERE id = '${admin.user.id}'`,
        parameters: [],
      });
      expect(code(await browser.call('GET', '/v1/workflows'))).toBe('401 sign_in_ended');
    });
  });

  describe('while signed in', () => {
    beforeEach(async () => {
      await browser.signIn(ADA.email, ADA.password);
    });

    it('a sign-out deletes the sign-in cookie, and the server no longer accepts the cookie', async () => {
      const headers = browser.headers();
      const answer = await browser.call('POST', '/v1/auth/sign-out');
      expect(code(answer)).toBe('204');
      expect(answer.headers.getSetCookie()[0]).toContain('workflow_sign_in=; Path=/; HttpOnly');
      expect(browser.cookie).toBeUndefined();
      expect(code(await service.call('GET', '/v1/workflows', undefined, headers))).toBe('401 sign_in_ended');
    });

    it('a user can list and end only their own sign-ins', async () => {
      await person('bob@example.com', 'member');
      const bob = new Browser(service);
      await bob.signIn('bob@example.com', ADA.password);
      const phone = await signedIn();
      const { body } = await browser.call('GET', '/v1/auth/sign-ins');
      expect(body.pagination).toEqual({ total: 2, limit: 20, offset: 0, has_more: false });
      expect(body.data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
      expect(Object.keys(body.data[0])).toEqual([
        'id',
        'current',
        'address',
        'user_agent',
        'created_at',
        'last_seen_at',
        'expires_at',
      ]);
      const first = await browser.call('GET', '/v1/auth/sign-ins?limit=1');
      expect(first.body.pagination).toMatchObject({ total: 2, has_more: true });
      const rest = await browser.call('GET', `/v1/auth/sign-ins?cursor=${first.body.pagination.next_cursor}`);
      expect([...first.body.data, ...rest.body.data]).toEqual(body.data);

      const path = `/v1/auth/sign-ins/${body.data[0].id}`;
      expect(code(await bob.call('DELETE', path))).toBe('403 sign_in_out_of_reach');
      expect(code(await phone.call('GET', '/v1/workflows'))).toBe('200');
      expect(code(await browser.call('DELETE', path))).toBe('204');
      expect(code(await phone.call('GET', '/v1/workflows'))).toBe('401 sign_in_ended');
      expect(code(await browser.call('DELETE', path))).toBe('404 sign_in_not_found');
      expect((await browser.call('DELETE', '/v1/auth/sign-ins/7')).status).toBe(400);
    });

    it('a password change ends all other sign-ins of the user', async () => {
      const phone = await signedIn();
      const change = (current_password: string, new_password: string) =>
        browser.call('POST', '/v1/auth/password', { current_password, new_password });
      expect(code(await change('wrong', NEW_PASSWORD))).toBe('403 wrong_password');
      expect((await change(ADA.password, 'short')).body.error.details.field).toBe('new_password');
      expect(code(await phone.call('GET', '/v1/workflows'))).toBe('200');
      expect(code(await change(ADA.password, NEW_PASSWORD))).toBe('204');
      expect(code(await phone.call('GET', '/v1/workflows'))).toBe('401 sign_in_ended');
      expect(code(await browser.call('GET', '/v1/workflows'))).toBe('200');
      expect(code(await new Browser(service).signIn(ADA.email, ADA.password))).toBe(
        '401 invalid_credentials',
      );
      expect(code(await new Browser(service).signIn(ADA.email, NEW_PASSWORD))).toBe('200');
    });

    it('of two concurrent password changes of a user, one ends the sign-in of the other, which then fails', async () => {
      const phone = await signedIn();
      await browser.signIn(ADA.email, ADA.password);
      const change = (on: Browser, new_password: string) =>
        on.call('POST', '/v1/auth/password', { current_password: ADA.password, new_password });
      const answers = await Promise.all([change(browser, NEW_PASSWORD), change(phone, `${NEW_PASSWORD}!`)]);
      expect(answers.map(code).toSorted()).toEqual(['204', '401 sign_in_ended']);
      const [first] = answers;
      const password = first.status === 204 ? NEW_PASSWORD : `${NEW_PASSWORD}!`;
      expect(code(await new Browser(service).signIn(ADA.email, password))).toBe('200');
    });

    it('a sign-in fails if the password changes while its password is being checked', async () => {
      const changing = await signedIn();
      const teams = service.app.get(TeamsService, { strict: false });
      const memberships = teams.memberships.bind(teams);
      // The sign-in reads the teams of the user after it has checked the password.
      vi.spyOn(teams, 'memberships').mockImplementationOnce(async (ids) => {
        const change = { current_password: ADA.password, new_password: NEW_PASSWORD };
        expect(code(await changing.call('POST', '/v1/auth/password', change))).toBe('204');
        return memberships(ids);
      });
      expect(code(await new Browser(service).signIn(ADA.email, ADA.password))).toBe(
        '401 invalid_credentials',
      );
      expect(code(await new Browser(service).signIn(ADA.email, NEW_PASSWORD))).toBe('200');
    });

    it('after a password change, only the device that changed the password is still a known device', async () => {
      const phone = await signedIn();
      await browser.call('POST', '/v1/auth/password', {
        current_password: ADA.password,
        new_password: NEW_PASSWORD,
      });
      storm(ADA.email);
      expect(code(await phone.signIn(ADA.email, NEW_PASSWORD))).toBe('429 too_many_sign_in_attempts');
      expect(code(await browser.signIn(ADA.email, NEW_PASSWORD))).toBe('200');
    });

    it('wrong passwords in password changes count toward a separate limit, not toward the limit of failed sign-ins', async () => {
      const change = (current_password: string) =>
        browser.call('POST', '/v1/auth/password', { current_password, new_password: NEW_PASSWORD });
      storm(ADA.email);
      for (let count = 0; count < 10; count += 1)
        expect(code(await change('wrong'))).toBe('403 wrong_password');
      expect(code(await change(ADA.password))).toBe('429 too_many_sign_in_attempts');
      service.clock.advance(60_000);
      expect(code(await change(ADA.password))).toBe('204');
    });

    it('a signed-in user cannot switch to a team of which the user is not a member', async () => {
      const teams = service.app.get(TeamsService, { strict: false });
      const own = teams.prepare('Second', admin.user.id);
      const strangerId = await person('eve@example.com', 'member');
      const strangers = teams.prepare('Strangers', strangerId);
      await service.change(...own.writes, ...strangers.writes);
      const { body: workflow } = await browser.call('POST', '/v1/workflows', { name: 'in the first team' });

      const switched = await browser.call('POST', '/v1/auth/team', { team_id: own.team.id });
      expect(switched.body).toMatchObject({ team_id: own.team.id, csrf_token: browser.csrfToken });
      expect(switched.body.teams).toHaveLength(2);
      expect((await browser.call('GET', `/v1/workflows/${workflow.id}`)).status).toBe(403);
      expect(code(await browser.call('POST', '/v1/auth/team', { team_id: strangers.team.id }))).toBe(
        '403 not_a_member',
      );
      expect(code(await browser.call('POST', '/v1/auth/team', { team_id: UNKNOWN_ID }))).toBe(
        '404 team_not_found',
      );
      expect((await browser.call('GET', '/v1/auth/sign-in')).body.team_id).toBe(own.team.id);
      await browser.call('POST', '/v1/auth/team', { team_id: admin.team.id });
      expect(code(await browser.call('GET', `/v1/workflows/${workflow.id}`))).toBe('200');
    });

    it('an API key cannot call the routes under /v1/auth that manage sign-ins', async () => {
      const headers = { authorization: `Bearer ${admin.secret}` };
      const routes: readonly (readonly [string, string, object?])[] = [
        ['GET', '/v1/auth/sign-in'],
        ['GET', '/v1/auth/sign-ins'],
        ['POST', '/v1/auth/sign-out'],
        ['DELETE', `/v1/auth/sign-ins/${UNKNOWN_ID}`],
        ['POST', '/v1/auth/password', { current_password: ADA.password, new_password: NEW_PASSWORD }],
        ['POST', '/v1/auth/team', { team_id: admin.team.id }],
      ];
      for (const [method, path, body] of routes) {
        expect(code(await service.call(method, path, body, headers))).toBe('403 sign_in_needed');
        expect(code(await service.call(method, path, body))).toBe('401 missing_key');
      }
    });
  });
});

describe('sign-in over https', () => {
  it('a sign-in over https sets a Secure cookie whose name starts with __Host-', async () => {
    const service = await ClockedService.start({ BASE_URL: 'https://flows.example.com/' });
    try {
      await service.app.get(FirstAdminService, { strict: false }).create(ADA);
      const own = { origin: 'https://flows.example.com' };
      const answer = await service.call(
        'POST',
        '/v1/auth/sign-in',
        { email: ADA.email, password: ADA.password },
        own,
      );
      const [set = ''] = answer.headers.getSetCookie();
      expect(set).toMatch(
        /^__Host-workflow_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=604800$/,
      );
      const cookie = set.slice(0, set.indexOf(';'));
      const read = async (headers: object) =>
        code(await service.call('GET', '/v1/auth/sign-in', undefined, { cookie, ...headers }));
      expect(await read(own)).toBe('200');
      expect(await read({ origin: service.url })).toBe('401 cross_origin');
      expect(await read({ cookie: cookie.replace('__Host-', ''), ...own })).toBe('401 missing_key');
    } finally {
      await service.close();
    }
  });
});
