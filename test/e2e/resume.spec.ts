import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/expressions/index.js';
import { databaseKinds, type TestDatabase } from '../support/database.js';
import { ExecutionCalls } from '../support/execution-views.js';
import { TestService } from '../support/service.js';

const ITEMS = 700;

/** A loop over 700 items and a node that waits. An execution has over 1,400 events when the node waits. */
const NODES: readonly JsonObject[] = [
  { id: 'first', type: 'set', with: { value: 'only the loop needs this' } },
  {
    id: 'each',
    type: 'foreach',
    with: {
      items: '{{ input }}',
      nodes: [{ id: 'one', type: 'set', with: { value: '{{ [index, size(nodes.first.output)] }}' } }],
    },
  },
  { id: 'ask', type: 'wait', needs: ['each'], with: { signal: 'go' } },
  { id: 'last', type: 'set', with: { value: '{{ [size(nodes.each.output), nodes.ask.output] }}' } },
];

for (const kind of await databaseKinds())
  describe(`an execution of many events on ${kind.name}`, () => {
    let database: TestDatabase;
    let service: TestService;
    let calls: ExecutionCalls;
    let workflowId: string;

    beforeAll(async () => {
      database = await kind.create();
      service = await TestService.start({ database: database.settings });
      calls = new ExecutionCalls(service);
      workflowId = await calls.workflow(NODES, { config: { timeout_seconds: 3_600 } });
    });

    afterAll(async () => {
      await service?.stop();
      await database?.drop();
    });

    const sql = (text: string): Promise<readonly Record<string, unknown>[]> =>
      service.app.get(DataSource).query(text);
    const checkpoint = async (id: string): Promise<Record<string, unknown> | undefined> =>
      (await sql(`SELECT * FROM checkpoints WHERE execution_id = '${id}'`))[0];

    /** Starts an execution and waits until the execution is suspended. @returns the id of the execution */
    async function asleep(): Promise<string> {
      const { id } = await calls.start(workflowId, { input: [...Array(ITEMS).keys()] });
      await calls.until(id, ({ status }) => status === 'waiting');
      return id;
    }

    async function signalled(id: string): Promise<void> {
      const { status } = await service.post(`/v1/executions/${id}/signals/go`, { payload: 'now' });
      expect(status).toBe(202);
      expect(await calls.ended(id)).toMatchObject({ status: 'completed', output: [ITEMS, 'now'] });
    }

    it('an execution with over 1,400 events has one checkpoint, which is deleted when the execution ends', async () => {
      const id = await asleep();
      const { last_sequence: last } = (await service.get(`/v1/executions/${id}`)).body as unknown as {
        last_sequence: number;
      };
      const rows = await sql(`SELECT sequence FROM checkpoints WHERE execution_id = '${id}'`);
      expect(rows).toHaveLength(1);
      expect(Number(rows[0]?.['sequence'])).toBeGreaterThan(last - 1_500);
      await signalled(id);
      expect(await checkpoint(id)).toBeUndefined();
    });

    it('an execution resumes from its checkpoint without reading the events before the checkpoint', async () => {
      const id = await asleep();
      const { sequence } = (await checkpoint(id)) ?? {};
      await sql(`DELETE FROM journal WHERE execution_id = '${id}' AND last_sequence <= ${Number(sequence)}`);
      await signalled(id);
    });

    it.each([
      ['deleted', `DELETE FROM checkpoints WHERE execution_id = `, null],
      [
        'written in another format',
        `UPDATE checkpoints SET format = 'other' WHERE execution_id = `,
        'A checkpoint has the format of another service version and is ignored. The whole journal is read instead.',
      ],
      [
        'corrupt',
        `UPDATE checkpoints SET body = replace(body, '699', '698') WHERE execution_id = `,
        'A checkpoint is corrupt and is ignored. The whole journal is read instead.',
      ],
    ])('an execution completes with the same output if its checkpoint was %s', async (_, change, logged) => {
      const lines = [vi.spyOn(Logger.prototype, 'log'), vi.spyOn(Logger.prototype, 'warn')];
      const id = await asleep();
      await sql(`${change}'${id}'`);
      await signalled(id);
      const said = lines.flatMap(({ mock }) => mock.calls).map(([context, line]) => [context, line]);
      if (logged === null) expect(said).not.toContainEqual([{ execution_id: id }, expect.anything()]);
      else expect(said).toContainEqual([{ execution_id: id }, logged]);
      for (const line of lines) line.mockRestore();
    });

    it('cancelling an execution deletes its checkpoint', async () => {
      const id = await asleep();
      expect(await checkpoint(id)).toBeDefined();
      expect((await service.post(`/v1/executions/${id}/cancel`, {})).status).toBe(200);
      expect(await checkpoint(id)).toBeUndefined();
    });

    it('an execution with few events has no checkpoint', async () => {
      const nodes = [{ id: 'ask', type: 'wait', with: { signal: 'go' } }];
      const { id } = await calls.start(await calls.workflow(nodes));
      await calls.until(id, ({ status }) => status === 'waiting');
      expect(await checkpoint(id)).toBeUndefined();
    });
  });
