import { beforeEach, describe, expect, it } from 'vitest';
import { planOf } from '../../test/support/engine-plans.js';
import { newExecution } from '../../test/support/execution-store.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { DEFAULT_CONFIG } from '../engine/index.js';
import type { Execution } from '../execution-store/index.js';
import type { Fault } from '../expressions/index.js';
import { type ChildRequest, NodeFailure } from '../node-contract/index.js';
import { newId } from '../platform/index.js';
import type { Workflow } from '../workflows/index.js';
import { ChildStarter, MAX_DEPTH } from './child-starter.js';

const START = Date.UTC(2030, 0, 1);
const NOW = new Date(START).toISOString();
const PROJECT = newId();

function workflow(own: Partial<Workflow> = {}, maxRunning: number | null = null): Workflow {
  return {
    id: newId(),
    projectId: PROJECT,
    name: 'Billing',
    description: '',
    status: 'active',
    version: 3,
    revision: 7,
    definition: { nodes: [], config: { ...DEFAULT_CONFIG, max_running: maxRunning } },
    tags: [],
    createdAt: NOW,
    updatedAt: NOW,
    ...own,
  };
}

class World {
  readonly workflows = new Map<string, Workflow>();
  readonly executions = new Map<string, Execution>();
  faults: readonly Fault[] = [];
  readonly compiled: string[] = [];
  limitError: NodeFailure | null = null;
  admitted = 0;
  settled = 0;
  parent = newExecution({ projectId: PROJECT, priority: 8, sessionId: newId() });

  readonly starter = new ChildStarter(
    { find: async (id) => this.workflows.get(id) },
    {
      of: async (id, version) => {
        this.compiled.push(`${id} ${version}`);
        const plan = planOf([
          { id: 'one', type: 'pure' },
          { id: 'two', type: 'pure' },
        ]);
        return { plan, inputSchema: { validate: () => this.faults }, mayReadName: false };
      },
    },
    {
      entering: ({ executionId, workflowId, sessionId, priority, dueAt, slot }) => ({
        sql: 'enter',
        parameters: [executionId, workflowId, sessionId, priority, dueAt, slot],
      }),
    },
    { find: async (id) => this.executions.get(id) },
    {
      admitChild: async () => {
        if (this.limitError !== null) throw this.limitError;
        this.admitted += 1;
        return () => (this.settled += 1);
      },
    },
    new ManualClock(START),
    { connect: () => undefined },
  );

  add(own: Partial<Workflow> = {}, maxRunning: number | null = null): Workflow {
    const added = workflow(own, maxRunning);
    this.workflows.set(added.id, added);
    return added;
  }

  /** Adds ancestors of the parent, one for each workflow id. The first workflow id is that of the root. */
  addAncestors(...workflowIds: readonly string[]): void {
    let above: Execution | null = null;
    for (const workflowId of workflowIds) {
      above = newExecution({ workflowId, projectId: PROJECT, parentId: above?.id ?? null });
      this.executions.set(above.id, above);
    }
    this.parent = { ...this.parent, parentId: above?.id ?? null };
  }

  prepare(
    workflowId: string,
    own: Partial<ChildRequest> = {},
  ): ReturnType<typeof ChildStarter.prototype.prepare> {
    const wanted = { workflowId, version: null, input: { n: 1 }, ...own };
    return this.starter.prepare(this.parent, wanted, { nodeId: 'call', iteration: null, attempt: 1 });
  }

  async refusal(workflowId: string, own: Partial<ChildRequest> = {}): Promise<NodeFailure> {
    const error: unknown = await this.prepare(workflowId, own).catch((reason: unknown) => reason);
    if (error instanceof NodeFailure) return error;
    throw new Error('The child was not refused.', { cause: error });
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('ChildStarter.prepare', () => {
  it('a child execution gets the project, session and priority of its parent', async () => {
    const { id } = world.add();
    const { execution, events, also } = await world.prepare(id);
    expect(execution).toMatchObject({
      workflowId: id,
      workflowVersion: 3,
      projectId: PROJECT,
      sessionId: world.parent.sessionId,
      priority: 8,
      trigger: { type: 'parent', id: world.parent.id },
      input: { n: 1 },
      admission: null,
      lease: { owner: null, epoch: 0 },
      progress: { status: 'queued', nodesTotal: 2, runnableAt: NOW },
    });
    expect([events.map(({ type }) => type), also]).toEqual([['workflow.queued'], []]);
  });

  it.each([
    ['its parent as root if the parent has no parent', null],
    ['the root of its parent if the parent has a parent', newId()],
  ])('a child execution gets %s', async (_, rootId) => {
    const { id } = world.add();
    world.parent = { ...world.parent, rootId, depth: 4 };
    expect((await world.prepare(id)).execution).toMatchObject({
      parentId: world.parent.id,
      rootId: rootId ?? world.parent.id,
      depth: 5,
    });
  });

  it('ChildStarter compiles the workflow version that the node requests', async () => {
    const { id } = world.add();
    const { execution } = await world.prepare(id, { version: 2 });
    expect([execution.workflowVersion, world.compiled]).toEqual([2, [`${id} 2`]]);
  });

  it('ChildStarter finds a workflow by an uppercase id', async () => {
    const { id } = world.add();
    expect((await world.prepare(id.toUpperCase())).execution.workflowId).toBe(id);
  });

  it('a prepared child counts once in the execution limits until `child.settled` is called', async () => {
    const child = await world.prepare(world.add().id);
    expect([world.admitted, world.settled]).toEqual([1, 0]);
    child.settled?.();
    expect(world.settled).toBe(1);
  });
});

describe('ChildStarter.prepare refusals', () => {
  it(`ChildStarter refuses a child that has ${MAX_DEPTH} ancestors, with the error child_depth_exceeded`, async () => {
    const { id } = world.add();
    world.parent = { ...world.parent, depth: MAX_DEPTH };
    expect(await world.refusal(id)).toMatchObject({
      code: 'child_depth_exceeded',
      options: { retryable: false },
    });
    world.parent = { ...world.parent, depth: MAX_DEPTH - 1 };
    await expect(world.prepare(id)).resolves.toBeDefined();
  });

  it.each<[string, () => string]>([
    ['an unknown workflow', () => newId()],
    ['a text that is not an id', () => '../secrets'],
    ['a workflow of another project', () => world.add({ projectId: newId() }).id],
  ])('ChildStarter refuses a child of %s with the error `workflow_not_found`', async (_, wanted) => {
    expect((await world.refusal(wanted())).code).toBe('workflow_not_found');
    expect(world.compiled).toEqual([]);
  });

  it.each(['draft', 'paused', 'archived'] as const)(
    'ChildStarter refuses a child of a workflow that is %s with `workflow_not_active`',
    async (status) => {
      expect((await world.refusal(world.add({ status }).id)).code).toBe('workflow_not_active');
    },
  );

  it('ChildStarter throws `workflow_version_not_found` for a child whose workflow version does not exist', async () => {
    const { id } = world.add();
    expect((await world.refusal(id, { version: 4 })).code).toBe('workflow_version_not_found');
    expect(world.compiled).toEqual([]);
  });

  it('ChildStarter refuses an invalid child input with `invalid_input`, and names the path of each invalid field', async () => {
    world.faults = [
      { path: 'input.email', code: 'format', message: 'must be an email address' },
      { path: 'input.age', code: 'minimum', message: 'must be at least 18' },
    ];
    const failure = await world.refusal(world.add().id);
    expect(failure.code).toBe('invalid_input');
    expect(failure.message).toContain('input.email must be an email address; input.age must be');
    expect(failure.options.details).toEqual({
      errors: [
        { field: 'input.email', code: 'format', reason: 'must be an email address' },
        { field: 'input.age', code: 'minimum', reason: 'must be at least 18' },
      ],
    });
    expect(world.admitted).toBe(0);
  });

  it('ChildStarter refuses a child with the error of the execution limit that the child would exceed', async () => {
    world.limitError = new NodeFailure('too_many_descendants', 'Too many.');
    expect(await world.refusal(world.add().id)).toBe(world.limitError);
  });
});

describe('ChildStarter.prepare with max_running', () => {
  it('a child execution beyond `max_running` is queued for admission in the commit of its start', async () => {
    const { id } = world.add({}, 1);
    const { execution, also } = await world.prepare(id);
    expect(execution).toMatchObject({
      admission: 'parked',
      progress: { status: 'queued', statusReason: 'max_running', runnableAt: null },
    });
    expect(also).toEqual([{ sql: 'enter', parameters: [execution.id, id, null, 8, NOW, null] }]);
  });

  // A queued child would wait for the slot of its ancestor forever, because the ancestor waits for the end of the
  // child.
  it.each([
    ['the parent', (id: string): void => void (world.parent = { ...world.parent, workflowId: id })],
    ['the grandparent', (id: string): void => world.addAncestors(id)],
    ['the root', (id: string): void => world.addAncestors(id, newId(), newId())],
  ])('a child execution is not queued when %s runs the same workflow', async (_, arrange) => {
    const { id } = world.add({}, 1);
    arrange(id);
    const { execution, also } = await world.prepare(id);
    expect([execution.admission, execution.progress.runnableAt, also]).toEqual([null, NOW, []]);
  });

  it('a child execution waits for admission if its ancestors are unknown because retention deleted one of them', async () => {
    const { id } = world.add({}, 1);
    world.parent = { ...world.parent, parentId: newId() };
    expect((await world.prepare(id)).execution.admission).toBe('parked');
  });
});
