import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { newId } from '../../src/platform/index.js';
import { newPerson } from '../support/people.js';
import { type TestAnswer, TestService } from '../support/service.js';
import { SocketClient } from '../support/socket-client.js';

interface List {
  readonly data: readonly { readonly id: string; readonly name: string }[];
  readonly pagination: { readonly total: number; readonly next_cursor?: string };
}

describe('projects', () => {
  let service: TestService;
  let stranger: Awaited<ReturnType<TestService['newStranger']>>;

  beforeAll(async () => {
    service = await TestService.start();
    stranger = await service.newStranger();
  });
  afterAll(() => service.stop());

  const refusal = ({ status, error }: TestAnswer<unknown>): string => `${status} ${error?.code ?? ''}`.trim();

  it('the API creates, reads, changes and deletes a project, and a deletion revokes the keys of the project', async () => {
    const made = await service.post('/v1/projects', { name: ' Billing ' });
    const path = `/v1/projects/${made.body.id}`;
    expect([made.status, made.headers.get('location')]).toEqual([201, path]);
    expect(made.body).toEqual({
      id: made.body.id,
      team_id: service.admin.teamId,
      name: 'Billing',
      description: null,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    expect((await service.get(path)).body).toEqual(made.body);
    const changed = await service.patch(path, { description: 'Invoices' });
    expect(changed.body).toMatchObject({ name: 'Billing', description: 'Invoices' });
    expect(changed.body['updated_at']).not.toBe(made.body['updated_at']);
    expect((await service.patch(path, { name: 'B', description: null })).body).toMatchObject({
      name: 'B',
      description: null,
    });
    expect((await service.get(path)).body).toMatchObject({ name: 'B', description: null });
    const workflow = await service.post('/v1/workflows', { name: 'w', project_id: made.body.id });
    const bound = await service.newKey({ scopes: ['*'], projectId: made.body.id });
    expect((await service.delete(path)).status).toBe(204);
    expect(refusal(await service.get(path))).toBe('404 project_not_found');
    expect((await service.get(`/v1/workflows/${workflow.body.id}`)).status).toBe(404);
    expect(refusal(await service.get('/v1/workflows', { key: bound }))).toBe('401 invalid_key');
    expect((await service.get<List>('/v1/projects')).body.data.map(({ id }) => id)).not.toContain(
      made.body.id,
    );
  });

  it('deleting a project or team with `?cancel=true` cancels its unfinished executions', async () => {
    const asleepIn = async (projectId: string, key: string): Promise<string> => {
      const nodes = [{ id: 'nap', type: 'delay', with: { seconds: 3_000 } }];
      const workflow = await service.post(
        '/v1/workflows',
        { name: 'w', project_id: projectId, nodes },
        { key },
      );
      return (await service.post(`/v1/workflows/${workflow.body.id}/executions`, {}, { key })).body.id;
    };
    const ending = async (id: string): Promise<unknown> => {
      const [row] = await service.app
        .get(DataSource)
        .query<object[]>(`SELECT status, status_reason FROM executions WHERE id = '${id}'`);
      return row;
    };
    const cancelled = { status: 'cancelled', status_reason: 'The project was deleted.' };
    const project = await service.newProject();
    const [inside, outside] = [
      await asleepIn(project.id, service.key),
      await asleepIn(service.project.id, service.key),
    ];
    const path = `/v1/projects/${project.id}`;
    const refused = await service.delete(path);
    expect([refusal(refused), refused.error?.details]).toEqual([
      '409 project_has_running_executions',
      { running: 1 },
    ]);
    expect(await ending(inside)).not.toEqual(cancelled);
    expect((await service.get(path)).status).toBe(200);
    const cannotCancel = await service.newKey({ scopes: ['projects:write'] });
    expect(refusal(await service.delete(`${path}?cancel=true`, { key: cannotCancel }))).toBe(
      '403 missing_scope',
    );
    expect((await service.delete(`${path}?cancel=yes`)).status).toBe(400);
    expect((await service.delete(`${path}?cancel=true`)).status).toBe(204);
    // The deletion waits only briefly for the cancellation, which continues in the background.
    await expect.poll(() => ending(inside)).toEqual(cancelled);
    expect(await ending(outside)).not.toEqual(cancelled);
    const person = await service.newStranger();
    const inTeam = await asleepIn(person.project.id, person.key);
    // A person's only team cannot be deleted, so the person needs a second team.
    await service.post('/v1/teams', { name: 'Another' }, { key: person.key });
    const team = `/v1/teams/${person.project.teamId}`;
    expect(refusal(await service.delete(team, { key: person.key }))).toBe('409 team_has_running_executions');
    expect((await service.delete(`${team}?cancel=true`, { key: person.key })).status).toBe(204);
    await expect.poll(() => ending(inTeam)).toEqual(cancelled);
  });

  it('deleting a project closes the WebSockets of keys that are bound to the project', async () => {
    const project = await service.newProject();
    const bound = await service.newKey({ scopes: ['*'], projectId: project.id });
    const client = await SocketClient.authenticated(new URL(service.baseUrl).host, bound);
    expect((await service.delete(`/v1/projects/${project.id}`)).status).toBe(204);
    expect(await client.ending()).toMatchObject({ close: 4401 });
  });

  it('repeated requests with the same Idempotency-Key create one project', async () => {
    const send = (): Promise<TestAnswer> =>
      service.post('/v1/projects', { name: 'once' }, { headers: { 'idempotency-key': 'project-once' } });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('the API lists projects page by page, newest first', async () => {
    const { key, project } = await service.newStranger();
    for (const name of ['a', 'b']) await service.post('/v1/projects', { name }, { key });
    const first = (await service.get<List>('/v1/projects?limit=2', { key })).body;
    expect(first.data.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(first.pagination.total).toBe(3);
    const rest = await service.get<List>(`/v1/projects?limit=2&cursor=${first.pagination.next_cursor}`, {
      key,
    });
    expect(rest.body.data.map(({ id }) => id)).toEqual([project.id]);
    expect((await service.get('/v1/projects?cursor=WyJ4Il0', { key })).status).toBe(400);
  });

  it.each(['GET', 'PATCH', 'DELETE'])(
    '%s /v1/projects/{id} responds 404 to an unknown id, 403 without access, and 400 to a malformed id',
    async (method) => {
      const send = (id: string, key = service.key): Promise<TestAnswer> =>
        service.request(method, `/v1/projects/${id}`, { key, ...(method === 'PATCH' ? { body: {} } : {}) });
      expect(refusal(await send(newId()))).toBe('404 project_not_found');
      expect(refusal(await send(stranger.project.id))).toBe('403 project_out_of_reach');
      expect((await send('1')).status).toBe(400);
      const bound = await service.newKey({ scopes: ['*'], projectId: service.project.id });
      expect(refusal(await send((await service.newProject()).id, bound))).toBe('403 project_out_of_reach');
    },
  );

  it('only an admin with a key that is not bound to a project can create projects', async () => {
    const { key } = await newPerson(service, 'member');
    expect(refusal(await service.post('/v1/projects', { name: 'x' }, { key }))).toBe('403 missing_scope');
    const bound = await service.newKey({ scopes: ['*'], projectId: service.project.id });
    expect(refusal(await service.post('/v1/projects', { name: 'x' }, { key: bound }))).toBe(
      '403 project_bound_key',
    );
    expect((await service.get<List>('/v1/projects', { key: bound })).body.data.map(({ id }) => id)).toEqual([
      service.project.id,
    ]);
  });

  it('concurrent deletions of all projects of a team delete every project except one', async () => {
    const { key, project } = await service.newStranger();
    expect(refusal(await service.delete(`/v1/projects/${project.id}`, { key }))).toBe('409 last_project');
    const others = await Promise.all(
      [1, 2, 3].map(async () => (await service.post('/v1/projects', { name: 'x' }, { key })).body.id),
    );
    const answers = await Promise.all(
      [project.id, ...others].map((id) => service.delete(`/v1/projects/${id}`, { key })),
    );
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      204, 204, 204, 409,
    ]);
  });

  it('of two concurrent deletions of a project, one responds that the project does not exist', async () => {
    const { key } = await service.newStranger();
    const { body } = await service.post('/v1/projects', { name: 'x' }, { key });
    const answers = await Promise.all([1, 2].map(() => service.delete(`/v1/projects/${body.id}`, { key })));
    const refused = answers.filter(({ status }) => status !== 204);
    expect(refused.map(refusal)).toEqual(['404 project_not_found']);
  });

  it.each([{ name: ' ' }, { name: 'x'.repeat(256) }, {}, { name: 'x', team_id: newId() }, { name: 1 }])(
    'the API rejects a new project with the invalid fields %j',
    async (body) => {
      expect((await service.post('/v1/projects', body)).status).toBe(400);
    },
  );
});
