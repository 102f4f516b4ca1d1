import { beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../test/support/engine-plans.js';
import { newExecution } from '../../test/support/execution-store.js';
import { CALLER, compiledOf, versionOf } from '../../test/support/executions-fakes.js';
import type { NodeDefinition } from '../engine/index.js';
import type { JournalEvent } from '../execution-events/index.js';
import { ProjectOutOfReachError } from '../projects/index.js';
import { PlanUnavailableError } from '../workflows/index.js';
import { ExecutionsReader } from './executions.reader.js';

const LOOP: NodeDefinition = {
  id: 'loop',
  type: 'loop',
  name: 'Each order',
  with: { items: [1, 2], nodes: [{ id: 'inner', type: 'effect' }] },
};
const NODES: readonly NodeDefinition[] = [
  { id: 'first', type: 'effect' },
  { ...LOOP, needs: ['first'] },
];
const PAGE = { limit: 10, offset: 0, order: 'asc' } as const;

function started(nodeId: string, data: object = {}): JournalEvent {
  const whole = { node_id: nodeId, node_type: 'effect', status: 'running', input: nodeId, ...data };
  return { type: 'workflow.node.started', at: 0, nodeId, attempt: 1, data: whole } as JournalEvent;
}

class World {
  readonly execution = newExecution({});
  parts: readonly (readonly JournalEvent[])[] = [];
  partsRead = 0;
  reachFailure: Error | null = null;
  planFailure: Error | null = null;
  hasDefinition = true;
  readonly filters: unknown[] = [];

  readonly reader = new ExecutionsReader(
    {
      list: (filter) => {
        this.filters.push(filter);
        return Promise.resolve({ items: [], total: 0 });
      },
      idsAfter: () => Promise.resolve([]),
    },
    { slimParts: () => this.journal() },
    {
      idsWithin: (_caller, id) => {
        if (this.reachFailure !== null) return Promise.reject(this.reachFailure);
        return Promise.resolve(id === undefined ? ['p1', 'p2'] : [id]);
      },
    },
    {
      of: () =>
        this.planFailure === null
          ? Promise.resolve({ ...compiledOf(), plan: planOf(NODES) })
          : Promise.reject(this.planFailure),
      definition: () => Promise.resolve(this.hasDefinition ? versionOf(1, NODES).definition : undefined),
    },
    { shown: (_id, nodes) => Promise.resolve(nodes) },
    {
      find: (text, projectIds) =>
        Promise.resolve({ ids: [`${text} in ${projectIds.join(' and ')}`], isCut: false, unsearched: null }),
    },
  );

  async nodes(wanted: { start?: number; limit?: number; nodeId?: string } = {}): Promise<unknown> {
    const { items, total } = await this.reader.nodes(this.execution, { start: 0, limit: 10, ...wanted });
    const rows = items.map(({ nodeId, iteration, status }) => `${nodeId}/${iteration ?? '-'} ${status}`);
    return { rows, total };
  }

  private async *journal(): AsyncGenerator<readonly JournalEvent[]> {
    for (const part of this.parts) {
      this.partsRead += 1;
      yield await Promise.resolve(part);
    }
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('lists of executions', () => {
  it('a list of executions contains the executions of all projects of the caller', async () => {
    await world.reader.list(CALLER, { statuses: ['failed'] }, PAGE);
    expect(world.filters).toEqual([{ statuses: ['failed'], projectIds: ['p1', 'p2'] }]);
  });

  it('a list of executions with a project filter contains only executions of this project', async () => {
    await world.reader.list(CALLER, { projectId: 'p2' }, PAGE);
    expect(world.filters).toEqual([{ projectIds: ['p2'] }]);
  });

  it('a list of executions with a search text contains only matches of the search', async () => {
    await world.reader.list(CALLER, { q: 'refund', statuses: ['failed'] }, PAGE);
    expect(world.filters).toEqual([
      { statuses: ['failed'], projectIds: ['p1', 'p2'], ids: ['refund in p1 and p2'] },
    ]);
  });

  it('a list of the executions of a project is refused if the caller cannot access the project', async () => {
    world.reachFailure = new ProjectOutOfReachError('p9');
    await expect(world.reader.list(CALLER, { projectId: 'p9' }, PAGE)).rejects.toBe(world.reachFailure);
    expect(world.filters).toEqual([]);
  });
});

describe('lists of nodes', () => {
  const loopStarted = started('loop', { iterations: 2 });
  const secondItem = started('inner', { iteration: 1, iteration_of: 'loop' });

  it('the list of nodes contains each item of a started loop', async () => {
    world.parts = [[started('first')], [loopStarted, secondItem]];
    expect(await world.nodes()).toEqual({
      rows: ['first/- running', 'loop/- running', 'inner/0 pending', 'inner/1 running'],
      total: 4,
    });
  });

  it('the list of nodes contains no items of a loop that has not started', async () => {
    world.parts = [[started('first')]];
    expect(await world.nodes()).toEqual({ rows: ['first/- running', 'loop/- pending'], total: 2 });
  });

  it('each page of the node list contains the total number of rows', async () => {
    world.parts = [[loopStarted, secondItem]];
    expect(await world.nodes({ start: 3, limit: 1 })).toEqual({ rows: ['inner/1 running'], total: 4 });
  });

  it('the nodes of an execution, filtered by a node inside a loop, have a row for each item of the loop', async () => {
    world.parts = [[loopStarted, secondItem]];
    expect(await world.nodes({ nodeId: 'inner' })).toEqual({
      rows: ['inner/0 pending', 'inner/1 running'],
      total: 2,
    });
  });

  it('a search of the journal for loop starts ends as soon as the start of every loop is found', async () => {
    world.parts = [[loopStarted], [secondItem], [started('first')]];
    await world.nodes();
    // The first step counts the loop items and reads one part of the journal. The second step builds the rows and reads
    // three parts.
    expect(world.partsRead).toBe(4);
  });

  it('the list of nodes omits the nodes inside loops when the workflow does not compile', async () => {
    world.planFailure = new PlanUnavailableError('A plug-in is missing.');
    world.parts = [[loopStarted, secondItem]];
    expect(await world.nodes()).toEqual({ rows: ['first/- pending', 'loop/- running'], total: 2 });
  });

  it('the nodes of an execution cannot be read if the workflow version has neither a compiled plan nor a definition', async () => {
    world.planFailure = new PlanUnavailableError('There is no version 1.');
    world.hasDefinition = false;
    await expect(world.nodes()).rejects.toBe(world.planFailure);
  });

  it('the nodes of an execution cannot be read if an unexpected error prevents compiling the workflow', async () => {
    world.planFailure = new Error('The database is away.');
    await expect(world.nodes()).rejects.toBe(world.planFailure);
  });
});
