import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLOCK, type Clock, isoTime, newId } from '../../src/platform/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { newPerson } from '../support/people.js';
import { type TestAnswer, TestService } from '../support/service.js';

interface Entry {
  readonly id: string;
  readonly project_id: string | null;
  readonly action: string;
  readonly target: { readonly type: string; readonly id: string };
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
}
interface List {
  readonly data: readonly Entry[];
  readonly pagination: { readonly total: number; readonly next_cursor?: string };
}

describe.each(await databaseKinds())('the audit log on $name', ({ create: createDatabase }) => {
  let database: TestDatabase;
  let service: TestService;

  beforeAll(async () => {
    database = await createDatabase();
    service = await TestService.start({ database: database.settings });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const read = async (query: string, key = service.key): Promise<List> =>
    (await service.get<List>(`/v1/audit-log${query}`, { key })).body;
  const actionsOn = async (target: string): Promise<readonly string[]> =>
    (await read(`?target=${target}&order=asc`)).data.map(({ action }) => action);
  const team = (): string => `/v1/teams/${service.admin.teamId}`;

  it('the audit log records the actor, action, target, client address and request id of a change', async () => {
    const { body } = await service.post(
      '/v1/keys',
      { name: 'CI' },
      { headers: { 'x-request-id': 'audit-1' } },
    );
    const [entry] = (await read(`?target=${body.id}`)).data;
    expect(entry).toMatchObject({
      team_id: service.admin.teamId,
      project_id: null,
      actor: { user_id: service.admin.userId, key_id: service.admin.keyId, name: null },
      address: '127.0.0.1',
      request_id: 'audit-1',
      action: 'key.created',
      target: { type: 'key', id: body.id, name: 'CI' },
      before: null,
      after: { id: body.id, name: 'CI', scopes: ['*'] },
    });
  });

  it('the audit log records the creation, change, rotation and deletion of an API key', async () => {
    const { body } = await service.post('/v1/keys', { name: 'CI' });
    await service.patch(`/v1/keys/${body.id}`, { name: 'CD' });
    await service.patch(`/v1/keys/${body.id}`, { name: 'CD' });
    await service.post(`/v1/keys/${body.id}/rotate`, { overlap_seconds: 60 });
    await service.delete(`/v1/keys/${body.id}`);
    expect(await actionsOn(body.id)).toEqual(['key.created', 'key.updated', 'key.rotated', 'key.deleted']);
    const [changed] = (await read(`?target=${body.id}&action=key.updated`)).data;
    expect([changed?.before?.['name'], changed?.after?.['name']]).toEqual(['CI', 'CD']);
  });

  it('the audit log records changes of users, team members, invitations, teams and projects', async () => {
    const person = await newPerson(service, 'member');
    await service.patch('/v1/users/me', { name: 'Ada' }, { key: person.key });
    await service.patch(
      '/v1/users/me',
      { api_key_restrictions: { allowed_ips: ['127.0.0.1'] } },
      { key: person.key },
    );
    await service.patch(`${team()}/members/${person.id}`, { role: 'viewer' });
    await service.delete(`${team()}/members/${person.id}`);
    expect(await actionsOn(person.id)).toEqual([
      'user.updated',
      'user.restrictions_changed',
      'member.role_changed',
      'member.removed',
    ]);
    await service.patch(team(), { name: `T ${newId()}` });
    expect(await actionsOn(service.admin.teamId)).toEqual(['team.updated']);
    const { body: project } = await service.post('/v1/projects', { name: 'P' });
    await service.patch(`/v1/projects/${project.id}`, { name: 'Q' });
    await service.delete(`/v1/projects/${project.id}`);
    expect(await actionsOn(project.id)).toEqual(['project.created', 'project.updated', 'project.deleted']);
    const invited = await service.post<{ invitation: { id: string } }>(`${team()}/members`, {
      email: `${newId()}@example.com`,
      role: 'viewer',
    });
    await service.delete(`${team()}/invitations/${invited.body.invitation.id}`);
    expect(await actionsOn(invited.body.invitation.id)).toEqual(['invitation.created', 'invitation.deleted']);
  });

  it('the audit log records changes of a workflow, but not the parameters of its nodes', async () => {
    const nodes = [{ id: 'a', type: 'set', with: { value: 'pasted-secret' } }];
    const { body } = await service.post('/v1/workflows', { name: 'w', nodes });
    await service.patch(`/v1/workflows/${body.id}`, { status: 'paused' });
    await service.delete(`/v1/workflows/${body.id}`);
    const { data } = await read(`?target=${body.id}&order=asc`);
    expect(data.map(({ action }) => action)).toEqual([
      'workflow.created',
      'workflow.updated',
      'workflow.deleted',
    ]);
    expect(data.every(({ project_id }) => project_id === service.project.id)).toBe(true);
    expect(data[1]).toMatchObject({ before: { status: 'active' }, after: { status: 'paused' } });
    expect(JSON.stringify(data)).not.toContain('pasted-secret');
  });

  it('the audit log does not record requests that are invalid or conflict with the current state', async () => {
    const before = (await read('')).pagination.total;
    await service.post('/v1/keys', { name: ' ' });
    await service.delete(`/v1/projects/${newId()}`);
    await service.patch(team(), { name: '' });
    await service.delete(`${team()}/members/${service.admin.userId}`);
    expect((await read('')).pagination.total).toBe(before);
  });

  it('the audit log can be filtered by actor, action and time, and returns pages with the newest entry first', async () => {
    const person = await newPerson(service, 'admin');
    // The test uses the time of the service, which follows the clock of the database. The clock of the test
    // may differ.
    const since = isoTime(service.app.get<Clock>(CLOCK, { strict: false }).now() - 1);
    for (const name of ['one', 'two', 'three'])
      await service.post('/v1/projects', { name }, { key: person.key });
    for (const actor of [person.id, person.keyId.toUpperCase()]) {
      const first = await read(`?actor=${actor}&action=project.created&created_after=${since}&limit=2`);
      expect(first.data.map(({ after }) => after?.['name'])).toEqual(['three', 'two']);
      expect(first.pagination.total).toBe(3);
      const rest = await read(`?actor=${actor}&limit=2&cursor=${first.pagination.next_cursor}`);
      expect(rest.data.map(({ after }) => after?.['name'])).toEqual(['one']);
    }
    expect((await read(`?actor=${person.id}&created_before=${since}`)).data).toEqual([]);
    expect((await read(`?actor=${person.id}&action=key.created`)).data).toEqual([]);
  });

  it('audit entries keep the names of deleted actors and targets, and a search by these names finds the entries', async () => {
    const maker = await service.post('/v1/keys', { name: 'Deploy_100%' });
    const key = (maker.body as unknown as { key: string }).key;
    const made = await service.post('/v1/projects', { name: 'Größe 1' }, { key });
    await service.request('DELETE', `/v1/keys/${maker.body.id}`);
    const [entry] = (await read(`?target=${made.body.id}`)).data;
    expect(entry).toMatchObject({ actor: { name: 'Deploy_100%' }, target: { name: 'Größe 1' } });
    const found = async (q: string): Promise<readonly string[]> =>
      (await read(`?order=asc&q=${encodeURIComponent(q)}`)).data.map(({ action }) => action);
    const all = ['key.created', 'project.created', 'key.deleted'];
    expect(await found('deploy_100%')).toEqual(all);
    expect(await found(maker.body.id.toUpperCase())).toEqual(all);
    expect(await found('Größe')).toEqual(['project.created']);
    expect(await found('deploy-100')).toEqual([]);
    const person = await newPerson(service, 'admin');
    await service.post('/v1/projects', { name: 'of a person' }, { key: person.key });
    expect((await read('?q=of%20a%20person')).data[0]?.target.type).toBe('project');
  });

  it.each([
    'action=drop table',
    'actor=1',
    'created_after=yesterday',
    'created_after=0000-01-01T00:00:00Z',
    'created_before=2026-W01',
    'cursor=WyJ4Il0',
    'who=me',
    'limit=0',
  ])('the service rejects the invalid query %s of the audit log', async (query) => {
    expect((await service.get(`/v1/audit-log?${query}`)).status).toBe(400);
  });

  it('only admins with the scope audit:read can read the audit log, and a project key reads only entries of the project', async () => {
    const send = (key: string): Promise<TestAnswer> => service.get('/v1/audit-log', { key });
    expect((await send((await newPerson(service, 'member')).key)).status).toBe(403);
    expect((await send(await service.newKey({ scopes: ['keys:read'] }))).status).toBe(403);
    expect((await send((await newPerson(service, 'admin')).key)).status).toBe(200);
    const stranger = await service.newStranger();
    const seen = await read('?limit=100', stranger.key);
    // No request created this key, so the audit entry has no actor and no client address.
    expect(seen.data).toMatchObject([
      { action: 'key.created', actor: { user_id: null, key_id: null }, address: '' },
    ]);
    const bound = await read(
      '?limit=100',
      await service.newKey({ scopes: ['*'], projectId: service.project.id }),
    );
    expect(bound.data.length).toBeGreaterThan(0);
    expect(bound.data.every(({ project_id }) => project_id === service.project.id)).toBe(true);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'the audit log is read-only, so the service rejects %s requests to it',
    async (method) => {
      const [entry] = (await read('?limit=1')).data;
      expect((await service.request(method, '/v1/audit-log')).status).toBe(405);
      expect((await service.request(method, `/v1/audit-log/${entry?.id}`)).status).toBe(404);
    },
  );
});
