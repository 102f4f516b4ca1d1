import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { AccessWorld } from '../support/access-world.js';
import { databaseKinds } from '../support/database.js';
import { ExecutionsWorld } from '../support/executions-world.js';
import type { TestAnswer } from '../support/service.js';

interface ValueDiff {
  readonly equal: boolean | null;
  readonly total: number;
  readonly changes: readonly JsonObject[];
  readonly base_url?: string;
  readonly other_url?: string;
}
interface Side {
  readonly status: string;
}
interface NodeDiff {
  readonly node_id: string;
  readonly iteration: number | null;
  readonly equal: boolean | null;
  readonly base: Side | null;
  readonly other: Side | null;
  readonly input: ValueDiff;
  readonly output: ValueDiff;
}
interface Diff {
  readonly equal: boolean | null;
  readonly base: Side & { readonly id: string; readonly workflow_version: number };
  readonly other: Side & { readonly id: string; readonly workflow_version: number };
  readonly path: JsonObject;
  readonly input: ValueDiff;
  readonly output: ValueDiff;
  readonly nodes: readonly NodeDiff[];
  readonly nodes_truncated: boolean;
}

describe.each(await databaseKinds())('comparisons on $name', (kind) => {
  let world: ExecutionsWorld;
  beforeAll(async () => {
    world = await ExecutionsWorld.on(kind);
  });
  afterAll(() => world?.end());

  const answer = (base: string, other: string): Promise<TestAnswer<Diff>> =>
    world.service.get<Diff>(`/v1/executions/${base}/diff?with=${other}`);
  const compare = async (base: string, other: string): Promise<Diff> => {
    const { status, body } = await answer(base, other);
    expect(status).toBe(200);
    return body;
  };
  const run = async (workflow: string, input: Json): Promise<string> =>
    (await world.calls.start(workflow, { input }, '?wait=60')).id;

  const BRANCHES: readonly JsonObject[] = [
    { id: 'check', type: 'set', with: { value: '{{ input.total }}' } },
    { id: 'charge', type: 'set', needs: ['check'], if: 'input.total < 100', with: { value: 'charged' } },
    { id: 'refuse', type: 'set', needs: ['check'], if: 'input.total >= 100', with: { value: 'refused' } },
  ];

  it('a comparison of two executions shows differences in the executed nodes, the values and the node statuses', async () => {
    const workflow = await world.calls.workflow(BRANCHES);
    const base = await run(workflow, { total: 12, items: ['a', 'b'] });
    const other = await run(workflow, { total: 150, items: ['a', 'x', 'b'] });
    const diff = await compare(base, other);
    expect(diff).toMatchObject({
      equal: false,
      base: { id: base, status: 'completed', workflow_version: 1 },
      other: { id: other, status: 'completed', workflow_version: 1 },
      path: {
        base: ['check', 'charge'],
        other: ['check', 'refuse'],
        only_base: ['charge'],
        only_other: ['refuse'],
      },
      nodes_truncated: false,
    });
    expect(diff.input).toEqual({
      equal: false,
      total: 2,
      changes: [
        { path: '/total', kind: 'changed', base: 12, other: 150 },
        { path: '/items/1', kind: 'added', base: null, other: 'x' },
      ],
    });
    expect(
      diff.nodes.map(({ node_id, equal, base: left, other: right }) => [
        node_id,
        equal,
        left?.status,
        right?.status,
      ]),
    ).toEqual([
      ['check', false, 'completed', 'completed'],
      ['charge', false, 'completed', 'skipped'],
      ['refuse', false, 'skipped', 'completed'],
    ]);
    expect(diff.nodes[0]?.output.changes).toEqual([{ path: '', kind: 'changed', base: 12, other: 150 }]);
  });

  it('a comparison reports two executions as equal if they executed the same nodes with the same values', async () => {
    const workflow = await world.calls.workflow(BRANCHES);
    const diff = await compare(await run(workflow, { total: 1 }), await run(workflow, { total: 1 }));
    expect([diff.equal, diff.input, diff.output]).toEqual([
      true,
      { equal: true, total: 0, changes: [] },
      { equal: true, total: 0, changes: [] },
    ]);
    expect(diff.nodes.every(({ equal }) => equal === true)).toBe(true);
  });

  it('a comparison of two workflow versions includes nodes that exist in only one version', async () => {
    const workflow = await world.calls.workflow([{ id: 'first', type: 'set', with: { value: 1 } }]);
    const base = await run(workflow, null);
    await world.service.patch(`/v1/workflows/${workflow}`, {
      nodes: [{ id: 'second', type: 'fail', with: { message: 'Out of stock' } }],
    });
    const diff = await compare(base, await run(workflow, null));
    expect([diff.base.workflow_version, diff.other.workflow_version, diff.equal]).toEqual([1, 2, false]);
    expect(diff.other).toMatchObject({
      status: 'failed',
      error: { message: 'Out of stock', node_id: 'second' },
    });
    expect(diff.nodes.map(({ node_id, base: left, other: right }) => [node_id, left, right?.status])).toEqual(
      [
        ['first', expect.objectContaining({ status: 'completed' }), undefined],
        ['second', null, 'failed'],
      ],
    );
  });

  it('a comparison matches the iterations of a loop in two executions by their index', async () => {
    const workflow = await world.calls.workflow([
      {
        id: 'each',
        type: 'foreach',
        with: {
          items: '{{ input }}',
          nodes: [{ id: 'double', type: 'set', with: { value: '{{ item * 2 }}' } }],
        },
      },
    ]);
    const diff = await compare(await run(workflow, [1, 2]), await run(workflow, [1, 3, 4]));
    expect(diff.nodes.map(({ node_id, iteration, equal }) => [node_id, iteration, equal])).toEqual([
      ['each', null, false],
      ['double', 0, true],
      ['double', 1, false],
      ['double', 2, false],
    ]);
  });

  it('a comparison truncates strings to 2,000 characters and lists at most 200 changes', async () => {
    const workflow = await world.calls.workflow([
      { id: 'short', type: 'set', with: { value: '{{ input.text }}' } },
    ]);
    const base = await run(workflow, { text: 'a'.repeat(5_000) });
    const cut = await compare(base, await run(workflow, { text: 'b'.repeat(5_000) }));
    expect(cut.input.changes).toEqual([
      {
        path: '/text',
        kind: 'changed',
        base: 'a'.repeat(2_000),
        base_truncated: true,
        other: 'b'.repeat(2_000),
        other_truncated: true,
      },
    ]);
    const many = await compare(base, await run(workflow, { text: Array.from({ length: 300 }, () => 1) }));
    expect([many.input.total, many.input.changes.length]).toEqual([1, 1]);
    const first = await run(workflow, { text: Array.from({ length: 300 }, () => 1) });
    const listed = await compare(first, await run(workflow, { text: Array.from({ length: 300 }, () => 2) }));
    expect([listed.input.total, listed.input.changes.length]).toEqual([300, 200]);
  });

  it('the service refuses to compare an execution with an execution of another workflow or with an unknown execution', async () => {
    const base = await run(await world.calls.workflow([]), null);
    const elsewhere = await run(await world.calls.workflow([]), null);
    const refused = await answer(base, elsewhere);
    expect([refused.status, refused.error]).toMatchObject([
      400,
      {
        type: 'validation_error',
        details: { field: 'with', reason: expect.stringContaining('the same workflow') as string },
      },
    ]);
    expect((await answer(base, '0199a8c0-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await answer(base, 'x')).error.details).toMatchObject({ field: 'with' });
  });
});

describe('comparisons and access', () => {
  let world: AccessWorld;
  beforeAll(async () => {
    world = await AccessWorld.start();
  });
  afterAll(() => world?.stop());

  it('the service refuses a comparison to a caller who cannot read the executions', async () => {
    const { executions: own = '' } = world.belongings;
    for (const key of [world.foreignKey, world.boundKey]) {
      const { status } = await world.service.get(`/v1/executions/${own}/diff?with=${own}`, { key });
      expect(status).toBe(403);
    }
  });
});
