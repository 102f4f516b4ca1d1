import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { TestService } from '../support/service.js';

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly status: string | null;
  readonly match: { readonly field: string; readonly text: string };
}

const HOOK = { action: 'start', verification: { type: 'none' } };

describe.each(await databaseKinds())('GET /v1/search on $name', ({ create }) => {
  let database: TestDatabase;
  let service: TestService;
  let workflow: string;
  /** Id of one resource of each kind, by kind. Each resource contains the text "zebra". */
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    database = await create();
    service = await TestService.start({
      database: database.settings,
      environment: { SECRETS_KEY: 'dGhlIGZpcnN0IGtleSBvZiB0aGVzZSB0ZXN0cyAtLS0=' },
    });
    workflow = await made('/v1/workflows', {
      name: 'Zebra crossing',
      tags: ['striped'],
      nodes: [{ id: 'stop', type: 'fail', with: { message: 'The quagga refused {{ input.name }}.' } }],
    });
    ids['workflow'] = workflow;
    ids['execution'] = await made(`/v1/workflows/${workflow}/executions?wait=30`, {
      input: { name: 'Okapi', mail: 'okapi@example.com' },
      metadata: { herd: 'zebra-7' },
    });
    ids['session'] = await made('/v1/sessions', { name: 'Zebra tour', metadata: { guide: 'Gnu' } });
    ids['schedule'] = await made('/v1/schedules', {
      workflow_id: workflow,
      name: 'Zebra every day',
      every_seconds: 86_400,
    });
    ids['hook'] = await made('/v1/hooks', { ...HOOK, workflow_id: workflow, name: 'Zebra hook' });
    ids['webhook'] = await made('/v1/webhooks', {
      url: 'https://example.com/zebra',
      events: ['workflow.failed'],
    });
    ids['secret'] = await made('/v1/secrets', { name: 'ZEBRA_TOKEN', value: 'wildebeest-value' });
    ids['key'] = await made('/v1/keys', { name: 'Zebra key', scopes: ['executions:read'] });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });

  async function made(path: string, body: object): Promise<string> {
    const answer = await service.post(path, body);
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.body.id;
  }

  async function search(query: string, key?: string): Promise<readonly Result[]> {
    const { status, body } = await service.get(
      `/v1/search?${query}`,
      ...(key === undefined ? [] : [{ key }]),
    );
    expect(status).toBe(200);
    return (body as unknown as { readonly data: readonly Result[] }).data;
  }

  const kindsOf = (results: readonly Result[]): readonly string[] => results.map(({ kind }) => kind);

  it('a search returns matching resources of every kind, grouped by kind in a fixed order', async () => {
    const found = await search('q=zebra');
    expect(found.map(({ kind, id }) => [kind, id])).toEqual(
      ['workflow', 'execution', 'session', 'schedule', 'hook', 'webhook', 'secret', 'key'].map((kind) => [
        kind,
        ids[kind],
      ]),
    );
  });

  it('each search result contains the title, the status and the text that matched', async () => {
    const [found] = await search('q=quagga%20refused');
    expect(found).toMatchObject({
      kind: 'execution',
      id: ids['execution'],
      title: 'Zebra crossing',
      status: 'failed',
      match: { field: 'error', text: 'The quagga refused Okapi.' },
    });
    expect((await search('q=okapi@ex'))[0]?.match).toEqual({ field: 'input', text: 'okapi@example.com' });
    expect((await search('q=zebra-7'))[0]?.match).toEqual({ field: 'metadata', text: 'zebra-7' });
  });

  it('a search finds a resource by its complete id, by a prefix, and by the last 8 characters of the id', async () => {
    for (const [kind, id = ''] of Object.entries(ids))
      for (const text of [id, id.slice(0, 23), id.slice(-8), id.slice(-8, -2)]) {
        const found = await search(`q=${text}&kind=${kind}`);
        expect([kind, text, found.map((one) => [one.id, one.match.field])]).toEqual([
          kind,
          text,
          [[id, 'id']],
        ]);
      }
  });

  it('a search for the value of a secret finds nothing', async () => {
    expect(await search('q=wildebeest')).toEqual([]);
  });

  it('a search returns only the kinds of resources that the scopes of the API key allow', async () => {
    const secret = await service.newKey({ scopes: ['workflows:read', 'secrets:read'] });
    expect(kindsOf(await search('q=zebra', secret))).toEqual(['workflow', 'secret']);
    const { status, error } = await service.get('/v1/search?q=zebra&kind=execution', { key: secret });
    expect([status, error.type, error.details]).toEqual([
      403,
      'permission_error',
      { required_scope: 'executions:read' },
    ]);
  });

  it('a search result for an execution hides the workflow name from a key without workflows:read', async () => {
    const secret = await service.newKey({ scopes: ['executions:read'] });
    expect((await search('q=okapi', secret))[0]?.title).toBe(ids['execution']);
  });

  it('a search with a key that is bound to a project finds nothing in other projects', async () => {
    const other = await service.newProject();
    const secret = await service.newKey({ scopes: ['*'], projectId: other.id });
    expect(await search('q=zebra', secret)).toEqual([]);
    expect(await search(`q=zebra&project_id=${other.id}`)).toEqual([]);
    const refused = await service.get(`/v1/search?q=zebra&project_id=${service.project.id}`, { key: secret });
    expect(refused.status).toBe(403);
  });

  it('a search returns at most `limit` results of each kind and reports which kinds have more results', async () => {
    await made('/v1/workflows', { name: 'Zebra two' });
    const { body } = await service.get('/v1/search?q=zebra&kind=workflow&kind=session&limit=1');
    expect(body).toMatchObject({
      data: [{ title: 'Zebra two' }, { title: 'Zebra tour' }],
      kinds: ['workflow', 'session'],
      kinds_with_more: ['workflow'],
      unsearched: null,
    });
  });

  it('the service rejects a search without text, with an unknown kind, or with a limit over 20', async () => {
    for (const query of [
      '',
      'q=',
      'q=%20',
      'q=a&kind=user',
      'q=a&limit=21',
      `q=${'a'.repeat(256)}`,
      'q=a&other=1',
    ])
      expect([query, (await service.get(`/v1/search?${query}`)).status]).toEqual([query, 400]);
  });

  it('a search for SQL code, wildcards or special characters returns no results and no error', async () => {
    for (const text of ["' OR 1=1 --", '%', '__', '\\', '%00zz', '😀', '\u{10FFFF}', '()', '*'])
      expect([text, await search(`q=${encodeURIComponent(text)}`)]).toEqual([text, []]);
  });

  it('the list of each resource kind returns only matches for the query parameter `q`', async () => {
    for (const [kind, path] of Object.entries({
      workflow: 'workflows',
      execution: 'executions',
      session: 'sessions',
      schedule: 'schedules',
      hook: 'hooks',
      webhook: 'webhooks',
      secret: 'secrets',
      key: 'keys',
    }))
      for (const q of ['zebra', (ids[kind] ?? '').slice(-8)]) {
        const { body } = await service.get(`/v1/${path}?q=${q}`);
        const listed = (body as unknown as { readonly data: readonly { readonly id: string }[] }).data;
        expect([path, q, listed.some(({ id }) => id === ids[kind])]).toEqual([path, q, true]);
        const none = await service.get(`/v1/${path}?q=giraffe`);
        expect(none.body).toMatchObject({ data: [], pagination: { total: 0 } });
      }
  });

  it('the list of executions combines the query parameter `q` with a status filter', async () => {
    const wanted = await service.get('/v1/executions?q=okapi&status=failed');
    expect(wanted.body).toMatchObject({ data: [{ id: ids['execution'] }], pagination: { total: 1 } });
    const other = await service.get('/v1/executions?q=okapi&status=completed');
    expect(other.body).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('a search finds a session by its metadata and a workflow by its tag', async () => {
    expect(kindsOf(await search('q=gnu'))).toEqual(['session']);
    expect(kindsOf(await search('q=striped'))).toEqual(['workflow']);
  });
});
