import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SetUpLinkService } from '../../src/auth/index.js';
import { Browser } from '../support/browser.js';
import { ClockedService, code } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';

const ADMIN = { email: 'Ada@Example.com', name: 'Ada', password: 'correct horse battery' };
const MINUTE_MS = 60_000;

describe.each(await databaseKinds())('first setup on $name', ({ create }) => {
  let database: TestDatabase;
  let service: ClockedService;

  beforeEach(async () => {
    database = await create();
    service = await ClockedService.start({}, database.settings);
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  async function link(): Promise<string> {
    const token = await service.app.get(SetUpLinkService, { strict: false }).create();
    return token ?? expect.fail('There is no setup token, because a user already exists.');
  }

  it('the setup link creates the first admin and signs the admin in, and afterwards every setup link is rejected', async () => {
    const token = await link();
    const second = await link();
    expect((await service.call('GET', '/v1/auth/set-up')).body).toEqual({ open: true });
    const browser = new Browser(service);
    const made = await browser.call('POST', '/v1/auth/set-up', { token, ...ADMIN });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.body).toMatchObject({
      user: { email: 'ada@example.com', name: 'Ada' },
      teams: [{ id: made.body.team_id, role: 'owner' }],
    });
    expect(code(await browser.call('POST', '/v1/workflows', { name: 'first' }))).toBe('201');
    expect((await service.call('GET', '/v1/auth/set-up')).body).toEqual({ open: false });
    for (const known of [token, second, 'nonsense'])
      expect(code(await service.call('POST', '/v1/auth/set-up', { token: known, ...ADMIN }))).toBe(
        '409 already_set_up',
      );
    expect(await service.app.get(SetUpLinkService, { strict: false }).create()).toBe(null);
    expect(code(await new Browser(service).signIn('ada@example.com', ADMIN.password))).toBe('200');
  });

  it('after the setup of the first admin, the database contains no API key and no setup token', async () => {
    const token = await link();
    await service.call('POST', '/v1/auth/set-up', { token, ...ADMIN });
    const dataSource = service.app.get(DataSource, { strict: false });
    expect(await dataSource.query('SELECT id FROM api_keys')).toEqual([]);
    const links: readonly Record<string, unknown>[] = await dataSource.query('SELECT * FROM set_up_links');
    expect(JSON.stringify(links)).not.toContain(token);
    expect(links.map(({ used_at }) => used_at)).not.toContain(null);
  });

  it('the service rejects an unknown setup link and a setup link older than 30 minutes', async () => {
    expect(code(await service.call('POST', '/v1/auth/set-up', { token: 'guess', ...ADMIN }))).toBe(
      '401 invalid_set_up_link',
    );
    const late = await link();
    service.clock.advance(30 * MINUTE_MS);
    expect(code(await service.call('POST', '/v1/auth/set-up', { token: late, ...ADMIN }))).toBe(
      '401 invalid_set_up_link',
    );
    const inTime = await link();
    service.clock.advance(30 * MINUTE_MS - 1);
    expect(code(await service.call('POST', '/v1/auth/set-up', { token: inTime, ...ADMIN }))).toBe('201');
  });

  it('four concurrent requests with setup links create only one admin', async () => {
    const tokens = [await link(), await link()];
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token, index) =>
        service.call('POST', '/v1/auth/set-up', { token, ...ADMIN, email: `ada${index}@example.com` }),
      ),
    );
    expect(answers.map(code).toSorted()).toEqual([
      '201',
      '409 already_set_up',
      '409 already_set_up',
      '409 already_set_up',
    ]);
    const users: unknown[] = await service.app
      .get(DataSource, { strict: false })
      .query('SELECT id FROM users');
    expect(users).toHaveLength(1);
  });

  it('a setup link remains valid after a rejected setup request', async () => {
    const token = await link();
    const wrong: readonly (readonly [object, string])[] = [
      [{ password: 'short' }, 'password'],
      [{ password: undefined }, 'password'],
      [{ email: 'nobody' }, 'email'],
      [{ role: 'owner' }, 'role'],
    ];
    for (const [change, field] of wrong) {
      const answer = await service.call('POST', '/v1/auth/set-up', { token, ...ADMIN, ...change });
      expect(answer.body.error).toMatchObject({ type: 'validation_error', details: { field } });
    }
    expect(
      code(
        await service.call('POST', '/v1/auth/set-up', { token, ...ADMIN }, { origin: 'http://evil.example' }),
      ),
    ).toBe('401 cross_origin');
    expect(code(await service.call('POST', '/v1/auth/set-up', { token, ...ADMIN }))).toBe('201');
  });

  it('an IP address is limited to 100 wrong setup links, but can still use the valid link', async () => {
    const token = await link();
    const guess = () => service.call('POST', '/v1/auth/set-up', { token: 'guess', ...ADMIN });
    for (let count = 0; count < 100; count += 1) expect((await guess()).status).toBe(401);
    const refused = await guess();
    expect(code(refused)).toBe('429 too_many_failed_authentications');
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.error.retry_after));
    expect(code(await service.call('POST', '/v1/auth/set-up', { token, ...ADMIN }))).toBe('201');
  });
});
