import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FirstAdmin } from '../../src/auth/first-admin.service.js';
import { FirstAdminService } from '../../src/auth/index.js';
import { TeamsService } from '../../src/teams/index.js';
import { UsersService } from '../../src/users/index.js';
import { Browser } from '../support/browser.js';
import { type ClockedAnswer, ClockedService, code } from '../support/clocked-service.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';

const DAY_MS = 86_400_000;
const GRACE = 'grace@example.com';
const PASSWORD = 'correct horse battery';
const ACCEPT = '/v1/auth/invitations/accept';

describe.each(await databaseKinds())('accepting an invitation on $name', ({ create }) => {
  let database: TestDatabase;
  let service: ClockedService;
  let admin: FirstAdmin;

  beforeEach(async () => {
    database = await create();
    service = await ClockedService.start({}, database.settings);
    admin = await service.app
      .get(FirstAdminService, { strict: false })
      .create({ email: 'ada@example.com', password: PASSWORD });
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  /** Invites a person through the API. @returns the token of the invitation link */
  async function invite(role = 'member', email = GRACE): Promise<string> {
    const answer = await service.call(
      'POST',
      `/v1/teams/${admin.team.id}/members`,
      { email, role },
      { authorization: `Bearer ${admin.secret}` },
    );
    expect(answer.status).toBe(201);
    return String(answer.body.invitation.url).split('#t=')[1] ?? '';
  }

  function accept(body: object, browser = new Browser(service)): Promise<ClockedAnswer> {
    return browser.call('POST', ACCEPT, body);
  }

  /** Creates an account for the invited email address in another team. */
  async function stranger(): Promise<void> {
    const users = service.app.get(UsersService, { strict: false });
    const { user, writes } = await users.prepare({ email: GRACE, password: PASSWORD });
    const team = service.app.get(TeamsService, { strict: false }).prepare('Elsewhere', user.id);
    await service.change(...writes, ...team.writes);
  }

  it('accepting an invitation creates a user in the team, signs the user in and invalidates the link', async () => {
    const token = await invite('viewer');
    const browser = new Browser(service);
    const answer = await accept({ token, name: 'Grace', password: PASSWORD }, browser);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      user: { email: GRACE, name: 'Grace' },
      teams: [{ id: admin.team.id, role: 'viewer' }],
      team_id: admin.team.id,
    });
    expect(code(await browser.call('GET', '/v1/workflows'))).toBe('200');
    expect(code(await browser.call('POST', '/v1/workflows', { name: 'x' }))).toBe('403 missing_scope');
    expect(code(await new Browser(service).signIn(GRACE, PASSWORD))).toBe('200');
    expect(code(await accept({ token, password: PASSWORD }))).toBe('401 invalid_invitation');
  });

  it('a new user must set a valid password to accept an invitation, and can retry after an invalid password', async () => {
    const token = await invite();
    for (const body of [{ token }, { token, password: 'short' }]) {
      const { status, body: answer } = await accept(body);
      expect([status, answer.error.details.field]).toEqual([400, 'password']);
    }
    expect((await accept({ token, password: PASSWORD, role: 'owner' })).body.error.details.field).toBe(
      'role',
    );
    expect(code(await accept({ token, password: PASSWORD }))).toBe('200');
  });

  it('an invitation expires after seven days', async () => {
    const late = await invite();
    service.clock.advance(7 * DAY_MS);
    expect(code(await accept({ token: late, password: PASSWORD }))).toBe('401 invalid_invitation');
    const inTime = await invite();
    service.clock.advance(7 * DAY_MS - 1);
    expect(code(await accept({ token: inTime, password: PASSWORD }))).toBe('200');
  });

  it('concurrent requests with the same invitation link create one user and one membership', async () => {
    const token = await invite();
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept({ token, password: PASSWORD })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 401, 404, 409]).toContain(status);
    const dataSource = service.app.get(DataSource, { strict: false });
    expect(await dataSource.query(`SELECT id FROM users WHERE email = '${GRACE}'`)).toHaveLength(1);
    expect(await dataSource.query('SELECT user_id FROM team_members')).toHaveLength(2);
  });

  it('an invitation link without the password does not sign in to an existing account', async () => {
    const token = await invite();
    await stranger();
    expect(code(await accept({ token }))).toBe('400 required');
    expect(code(await accept({ token, password: 'a wrong password' }))).toBe('401 invalid_credentials');
    const ada = new Browser(service);
    await ada.signIn('ada@example.com', PASSWORD);
    expect(code(await accept({ token }, ada))).toBe('401 invalid_credentials');
    expect(code(await new Browser(service).signIn(GRACE, PASSWORD))).toBe('200');
  });

  it('accepting an invitation with the password of an existing account does not rename the account', async () => {
    const token = await invite('admin');
    await stranger();
    service.clock.advance(1);
    const answer = await accept({ token, name: 'Somebody else', password: PASSWORD });
    expect(answer.body).toMatchObject({ user: { name: 'grace' }, team_id: admin.team.id });
    expect(answer.body.teams.map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin']);
  });

  it('a signed-in user can accept an invitation only with a CSRF token and from the same origin', async () => {
    const token = await invite();
    await stranger();
    const grace = new Browser(service);
    await grace.signIn(GRACE, PASSWORD);
    const { 'x-csrf-token': _, ...headers } = grace.headers();
    expect(code(await service.call('POST', ACCEPT, { token }, headers))).toBe('403 invalid_csrf_token');
    expect(
      code(
        await service.call('POST', ACCEPT, { token }, { ...grace.headers(), origin: 'http://evil.example' }),
      ),
    ).toBe('401 cross_origin');
    expect(code(await accept({ token }, grace))).toBe('200');
    expect((await grace.call('GET', '/v1/auth/sign-in')).body.team_id).toBe(admin.team.id);
  });

  it('an invitation request with an invalid password gets the same error whether or not the account exists', async () => {
    const refusals = async (email: string): Promise<readonly unknown[]> => {
      const token = await invite('member', email);
      const ada = new Browser(service);
      await ada.signIn('ada@example.com', PASSWORD);
      const answers = [
        await accept({ token }),
        await accept({ token, password: 'short' }),
        await accept({ token }, ada),
      ];
      return answers.map(({ status, body }) => [
        status,
        body.error.code,
        body.error.message,
        body.error.details,
      ]);
    };
    await stranger();
    expect(await refusals(GRACE)).toEqual(await refusals('nobody@example.com'));
  });

  it('reading an invitation returns its team, inviter and email address and keeps the link valid', async () => {
    const token = await invite('viewer');
    const read = (body: object): Promise<ClockedAnswer> =>
      new Browser(service).call('POST', '/v1/auth/invitations/read', body);
    const { status, body } = await read({ token });
    expect([status, body]).toMatchObject([
      200,
      {
        team: { id: admin.team.id, name: 'Default team' },
        invited_by: { name: 'ada', email: 'ada@example.com' },
        email: GRACE,
        role: 'viewer',
      },
    ]);
    await stranger();
    expect((await read({ token })).body).toEqual(body);
    expect(code(await read({ token: 'unknown' }))).toBe('401 invalid_invitation');
    expect(code(await accept({ token, password: PASSWORD }))).toBe('200');
    expect(code(await read({ token }))).toBe('401 invalid_invitation');
  });

  it('only a signed-in user with the invited email address can list, accept and decline an invitation', async () => {
    await stranger();
    const [grace, ada] = [new Browser(service), new Browser(service)];
    await grace.signIn(GRACE, PASSWORD);
    await ada.signIn('ada@example.com', PASSWORD);
    const received = async (browser: Browser) =>
      (await browser.call('GET', '/v1/auth/invitations')).body.data as readonly { readonly id: string }[];
    const token = await invite('admin');
    const [first] = await received(grace);
    expect(first).toMatchObject({ team: { name: 'Default team' }, invited_by: { email: 'ada@example.com' } });
    expect(await received(ada)).toEqual([]);
    const path = `/v1/auth/invitations/${first?.id}`;
    expect(code(await ada.call('POST', `${path}/accept`))).toBe('404 invitation_not_found');
    expect(code(await ada.call('DELETE', path))).toBe('404 invitation_not_found');
    expect(
      code(
        await service.call('GET', '/v1/auth/invitations', undefined, {
          authorization: `Bearer ${admin.secret}`,
        }),
      ),
    ).toBe('403 sign_in_needed');
    expect(code(await grace.call('DELETE', path))).toBe('204');
    expect(await received(grace)).toEqual([]);
    expect(code(await accept({ token, password: PASSWORD }))).toBe('401 invalid_invitation');
    await invite('admin');
    const [second] = await received(grace);
    const accepted = await grace.call('POST', `/v1/auth/invitations/${second?.id}/accept`);
    expect(accepted.status).toBe(200);
    expect(accepted.body.teams.map(({ role }: { role: string }) => role).sort()).toEqual(['admin', 'owner']);
    expect(code(await grace.call('POST', `/v1/auth/invitations/${second?.id}/accept`))).toBe(
      '404 invitation_not_found',
    );
    const log = await service.call('GET', '/v1/audit-log?order=asc', undefined, {
      authorization: `Bearer ${admin.secret}`,
    });
    const actions = log.body.data.map(({ action }: { action: string }) => action);
    // The service writes audit entries about rejected requests later, so the test ignores these entries.
    const done = actions.filter(
      (action: string) => action.startsWith('invitation.') && action !== 'invitation.refused',
    );
    expect(done).toEqual([
      'invitation.created',
      'invitation.declined',
      'invitation.created',
      'invitation.accepted',
    ]);
  });

  it('accepting an invitation responds 409 and keeps the role if the user is already in the team', async () => {
    const token = await invite('owner');
    const users = service.app.get(UsersService, { strict: false });
    const { user, writes } = await users.prepare({ email: GRACE, password: PASSWORD });
    const joining = service.app
      .get(TeamsService, { strict: false })
      .joining(admin.team.id, user.id, 'viewer', () => new Error('twice'));
    await service.change(...writes, ...joining);
    expect(code(await accept({ token, password: PASSWORD }))).toBe('409 already_member');
    const grace = new Browser(service);
    expect((await grace.signIn(GRACE, PASSWORD)).body.teams[0].role).toBe('viewer');
  });

  it('an IP address that guesses 100 invitation links gets 429, but can still use a valid link', async () => {
    const guess = () => accept({ token: 'guess', password: PASSWORD });
    for (let count = 0; count < 100; count += 1) expect(code(await guess())).toBe('401 invalid_invitation');
    expect(code(await guess())).toBe('429 too_many_failed_authentications');
    expect(code(await accept({ token: await invite('viewer'), password: PASSWORD }))).toBe('200');
  });
});
