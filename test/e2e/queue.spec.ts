import { hostname } from 'node:os';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { FlakyServer, json } from '../support/flaky-server.js';
import { newPerson } from '../support/people.js';
import { startSecond } from '../support/second-process.js';
import { TestService } from '../support/service.js';

interface QueueView {
  readonly projects: readonly {
    readonly project_id: string;
    readonly runnable: number;
    readonly sleeping: number;
    readonly oldest_runnable_at: string | null;
  }[];
  readonly processes: readonly {
    readonly pid: number;
    readonly role: string;
    readonly silent_ms: number;
    readonly executions_held: number;
  }[];
}

for (const kind of await databaseKinds())
  describe(`the queue report on ${kind.name}`, () => {
    let database: TestDatabase;
    let outside: FlakyServer;
    let service: TestService;
    const held: ServerResponse[] = [];
    const ids: string[] = [];

    beforeAll(async () => {
      [database, outside] = [await kind.create(), await FlakyServer.start()];
      outside.on('/held', (_, response) => held.push(response));
      service = await TestService.start({
        database: database.settings,
        environment: { RUN_CONCURRENCY: '1', EGRESS_ALLOW: outside.address },
      });
      const calls = new ExecutionCalls(service);
      const sleeping = await calls.workflow([{ id: 'a', type: 'delay', with: { seconds: 100 } }]);
      const { id } = await calls.start(sleeping);
      await calls.until(id, ({ status }) => status === 'waiting');
      const holding = await calls.workflow([{ id: 'a', type: 'http', with: { url: outside.url('/held') } }]);
      for (let n = 0; n < 3; n += 1) ids.push((await calls.start(holding)).id);
    });

    afterAll(async () => {
      await service?.stop();
      await outside?.stop();
      await database?.drop();
    });

    const read = async (key?: string): Promise<QueueView> =>
      (await service.get<QueueView>('/v1/queue', key === undefined ? {} : { key })).body;

    /** Polls the queue report until the report meets the condition. The service caches the report for 2 s. */
    async function until(is: (view: QueueView) => boolean): Promise<QueueView> {
      for (;;) {
        const view = await read();
        if (is(view)) return view;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }

    it('GET /v1/queue counts the waiting executions of each project and the running executions of each process', async () => {
      const view = await until(({ processes }) => processes[0]?.executions_held === 1);
      expect(view).toEqual({
        measured_at: expect.stringMatching(/Z$/),
        projects: [
          {
            project_id: service.project.id,
            runnable: 2,
            sleeping: 1,
            oldest_runnable_at: expect.stringMatching(/Z$/),
          },
        ],
        processes: [
          {
            id: expect.any(String),
            host: hostname(),
            pid: process.pid,
            role: 'all',
            version: expect.stringMatching(/^\d+\.\d+\.\d+(\+[0-9a-f]{7})?$/),
            started_at: expect.stringMatching(/Z$/),
            silent_ms: expect.any(Number),
            executions_held: 1,
          },
        ],
      });
      expect(Date.parse(view.projects[0]?.oldest_runnable_at ?? '')).toBeLessThan(Date.now());
    });

    it('only an admin or owner with a key that is not bound to a project can read GET /v1/queue', async () => {
      const refused = async (key: string | null) => {
        const { status, error } = await service.get('/v1/queue', { key });
        return [status, error.code];
      };
      for (const role of ['viewer', 'member'] as const)
        expect(await refused((await newPerson(service, role)).key)).toEqual([403, 'admin_required']);
      expect(await refused(await service.newKey({ projectId: service.project.id }))).toEqual([
        403,
        'admin_required',
      ]);
      expect(await refused(await service.newKey({ scopes: ['workflows:read'] }))).toEqual([
        403,
        'missing_scope',
      ]);
      expect((await refused(null))[0]).toBe(401);
      const admin = await newPerson(service, 'admin');
      expect((await read(admin.key)).projects).toHaveLength(1);
    });

    it('GET /v1/queue does not count waiting executions of another team', async () => {
      const { key } = await service.newStranger();
      expect(await read(key)).toMatchObject({ projects: [], processes: [{ executions_held: 1 }] });
    });

    it.each(kind.name === 'postgres' ? ['api'] : [])(
      'GET /v1/queue lists a process with role %s until the process ends',
      async (role) => {
        const api = await startSecond(database.settings, { ROLE: role });
        const roles = (view: QueueView): readonly string[] => view.processes.map((one) => one.role);
        const both = await until((view) => view.processes.length === 2);
        expect(roles(both)).toEqual(['all', role]);
        await api.close();
        expect(roles(await until((view) => view.processes.length === 1))).toEqual(['all']);
      },
    );

    it('GET /v1/queue counts no runnable executions in a project in which all executions wait or have ended', async () => {
      const calls = new ExecutionCalls(service);
      outside.on('/held', (_, response) => json(response, {}));
      for (const response of held) json(response, {});
      for (const id of ids) await calls.ended(id);
      const view = await until(({ projects }) => projects[0]?.runnable === 0);
      expect(view.projects).toMatchObject([{ sleeping: 1, oldest_runnable_at: null }]);
    });
  });
