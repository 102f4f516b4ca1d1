import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { databaseKinds } from '../support/database.js';
import { newPerson, type TestPerson } from '../support/people.js';
import { TestService } from '../support/service.js';

interface View {
  readonly id: string;
  readonly name: string;
  readonly visibility: string;
  readonly settings: JsonObject;
  readonly created_by: string;
}

describe.each(await databaseKinds())('saved views on $name', (kind) => {
  let service: TestService;
  let member: TestPerson;
  let viewer: TestPerson;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await kind.create();
    drop = () => database.drop();
    service = await TestService.start({ database: database.settings });
    [member, viewer] = [await newPerson(service, 'member'), await newPerson(service, 'viewer')];
  });
  afterAll(async () => {
    await service?.stop();
    await drop?.();
  });

  const settings = { filters: { status: ['failed'] } };
  const save = (key: string, name: string, visibility: string): ReturnType<typeof service.post<View>> =>
    service.post<View>('/v1/saved-views', { page: 'executions', name, visibility, settings }, { key });
  const seen = async (key: string): Promise<readonly string[]> => {
    const { body } = await service.get<{ data: readonly View[] }>('/v1/saved-views?page=executions', { key });
    return body.data.map(({ name }) => name);
  };

  it('only the creator of a saved view can read the view until the creator shares it with the team', async () => {
    const made = await save(member.key, 'Mine', 'own');
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/saved-views/${made.body.id}`]);
    expect(made.body).toMatchObject({
      settings: { filters: { status: ['failed'] }, columns: null, order: 'desc' },
      created_by: member.id,
    });
    const path = `/v1/saved-views/${made.body.id}`;
    expect([await seen(member.key), await seen(viewer.key)]).toEqual([['Mine'], []]);
    expect((await service.get(path, { key: viewer.key })).status).toBe(404);
    expect((await service.patch(path, { visibility: 'team' }, { key: member.key })).status).toBe(200);
    expect(await seen(viewer.key)).toEqual(['Mine']);
    const changed = { settings: { filters: {}, columns: ['id', 'status'], order: 'asc' } };
    expect((await service.patch<View>(path, changed, { key: service.key })).body.settings).toEqual(
      changed.settings,
    );
    expect((await service.request('DELETE', path, { key: member.key })).status).toBe(204);
    expect(await seen(viewer.key)).toEqual([]);
  });

  it('a viewer cannot share a saved view, and a member cannot change a shared view of another person', async () => {
    expect((await save(viewer.key, 'Own', 'own')).status).toBe(201);
    expect((await save(viewer.key, 'Shared', 'team')).error.code).toBe('team_view_refused');
    const { id } = (await save(service.key, 'Of the admin', 'team')).body;
    for (const { key } of [viewer, member]) {
      expect((await service.patch(`/v1/saved-views/${id}`, { name: 'x' }, { key })).status).toBe(403);
      expect((await service.request('DELETE', `/v1/saved-views/${id}`, { key })).status).toBe(403);
    }
  });

  it('the audit log records the creator, page, name and visibility of a new saved view', async () => {
    const { id } = (await save(service.key, 'Logged', 'team')).body;
    const { body } = await service.get<{ data: readonly JsonObject[] }>(`/v1/audit-log?target=${id}`);
    expect(body.data).toMatchObject([
      {
        action: 'saved_view.created',
        after: { page: 'executions', name: 'Logged', visibility: 'team', user_id: service.admin.userId },
      },
    ]);
  });

  it('the service rejects a saved view whose settings have more than 8,192 characters', async () => {
    const filters = { text: 'x'.repeat(9_000) };
    const { error } = await service.post('/v1/saved-views', {
      page: 'executions',
      name: 'Long',
      settings: { filters },
    });
    expect(error.details).toMatchObject({ field: 'settings' });
  });

  it('the service rejects a change of `page` if the user already sees 100 saved views of that page', async () => {
    const { key } = await newPerson(service, 'member');
    const other = await service.post<View>(
      '/v1/saved-views',
      { page: 'workflows', name: 'x', settings },
      { key },
    );
    const statuses = new Set<number>();
    for (let n = (await seen(key)).length; n < 100; n += 1)
      statuses.add((await save(key, `v${n}`, 'own')).status);
    expect([...statuses]).toEqual([201]);
    const path = `/v1/saved-views/${other.body.id}`;
    const { error } = await service.patch(path, { page: 'executions' }, { key });
    expect(error.code).toBe('too_many_saved_views');
    expect((await service.patch(path, { page: 'workflows', name: 'y' }, { key })).status).toBe(200);
  });

  it('a user can save a time zone and a page size, and an unknown time zone is rejected', async () => {
    const { key } = member;
    const preferences = async (): Promise<unknown> =>
      (await service.get<{ preferences: unknown }>('/v1/users/me', { key })).body.preferences;
    expect(await preferences()).toEqual({ time_zone: 'local', page_size: 20 });
    const set = await service.patch<{ preferences: unknown }>(
      '/v1/users/me',
      { preferences: { time_zone: 'Europe/Berlin' } },
      { key },
    );
    expect(set.body.preferences).toEqual({ time_zone: 'Europe/Berlin', page_size: 20 });
    await service.patch('/v1/users/me', { preferences: { page_size: 100 } }, { key });
    expect(await preferences()).toEqual({ time_zone: 'Europe/Berlin', page_size: 100 });
    for (const zone of ['Mars/Olympus', '+02:00', ''])
      expect(
        (await service.patch('/v1/users/me', { preferences: { time_zone: zone } }, { key })).error.details,
      ).toMatchObject({ field: 'preferences.time_zone' });
    const other = await service.patch(`/v1/users/${member.id}`, { preferences: { page_size: 50 } });
    expect(other.status).toBe(403);
  });
});
