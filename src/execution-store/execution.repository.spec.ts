import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelled, completed, newExecution, queued, started } from '../../test/support/execution-store.js';
import { StoreWorld } from '../../test/support/store-world.js';
import { AdmissionRepository } from '../admission/index.js';
import { MessageRepository } from '../inbox/index.js';
import { JournalFullError } from '../journal/index.js';
import { INLINE_LIMIT, LongValue } from '../long-values/index.js';
import { newId } from '../platform/index.js';
import { markedStatement, type Write } from '../storage/index.js';
import {
  type NewExecution,
  type Execution,
  HANDED_OVER,
  HOLDER_LOST,
  NOT_STARTED,
  WORKFLOW_UNAVAILABLE,
} from './execution.js';
import {
  AncestorEndedError,
  ExecutionChangedError,
  KeyHeldError,
  LeaseLostError,
} from './execution.errors.js';
import type { ExecutionRepository } from './execution.repository.js';

const NOW = '2030-01-01T00:00:00.000Z';
const LATER = '2030-01-01T00:01:00.000Z';
const LONG = 'x'.repeat(INLINE_LIMIT + 1);

let world: StoreWorld;
let executions: ExecutionRepository;
let messages: MessageRepository;
let owner: string;

beforeAll(async () => {
  world = await StoreWorld.open();
  executions = world.store.executions;
  messages = new MessageRepository(world.store.dataSource, 'sqlite');
});
afterAll(() => world.close());

beforeEach(async () => {
  owner = await world.addProcess();
});

async function insert(own: Partial<Execution> = {}, also: readonly Write[] = []): Promise<Execution> {
  const execution = newExecution(own);
  await executions.insert(execution, [queued(execution.input)], also);
  return execution;
}

const insertHeld = (own: Partial<Execution> = {}): Promise<Execution> =>
  insert({ lease: { owner, epoch: 1 }, ...own });

async function stored(id: string): Promise<Execution> {
  const execution = await executions.find(id);
  if (execution === undefined) throw new Error(`The execution ${id} is not stored.`);
  return execution;
}

async function eventsOf(id: string): Promise<readonly string[]> {
  return (await world.store.journalRepository.whole(id, 0)).map(({ type }) => type);
}

describe('inserting an execution', () => {
  it('`insert` stores every field of an execution', async () => {
    const execution = newExecution({
      sessionId: newId(),
      trigger: { type: 'schedule', id: 'nightly' },
      input: { order: 17, lines: [null] },
      metadata: { tenant: 'acme' },
      priority: 9,
      attempt: 2,
      retryOf: newId(),
      parentId: newId(),
      rootId: newId(),
      depth: 3,
      scheduledFor: LATER,
      deduplicationKey: 'order-17',
      admission: 'parked',
      createdAt: NOW,
      progress: { ...NOT_STARTED, statusReason: 'max_running', nodesTotal: 4 },
      lease: { owner, epoch: 6 },
    });
    await executions.insert(execution, [queued(execution.input)], []);
    expect(await executions.find(execution.id)).toEqual(execution);
  });

  it("`insert` returns the number of bytes of the execution's events", async () => {
    const execution = newExecution({ input: 'y'.repeat(1_000) });
    expect(await executions.insert(execution, [queued(execution.input)], [])).toBeGreaterThan(1_000);
  });

  it('`insert` writes nothing if the events exceed the available bytes', async () => {
    const execution = newExecution({});
    await expect(async () => executions.insert(execution, [queued(null)], [], 10)).rejects.toThrow(
      JournalFullError,
    );
    expect(await executions.find(execution.id)).toBeUndefined();
  });

  it('`insert` writes nothing if another write of the same commit is refused', async () => {
    const refused = new Error('Refused.');
    const guard = {
      ...markedStatement('sqlite', 'DELETE FROM instances WHERE id = ?', [newId()]),
      orFail: () => refused,
    };
    const execution = newExecution({});
    await expect(executions.insert(execution, [queued(null)], [guard])).rejects.toBe(refused);
    expect([await executions.find(execution.id), await eventsOf(execution.id)]).toEqual([undefined, []]);
  });
});

describe('deduplication keys of executions', () => {
  it('a deduplication key is refused while another unfinished execution has the key', async () => {
    const holder = await insert({ deduplicationKey: 'order-1' });
    const second = newExecution({ workflowId: holder.workflowId, deduplicationKey: 'order-1' });
    await expect(executions.insert(second, [queued(null)], [])).rejects.toThrow(KeyHeldError);
    expect([await executions.find(second.id), await eventsOf(second.id)]).toEqual([undefined, []]);
  });

  it('executions of two workflows can have the same deduplication key at the same time', async () => {
    await insert({ deduplicationKey: 'order-2' });
    await expect(insert({ deduplicationKey: 'order-2' })).resolves.toBeDefined();
  });

  it('a deduplication key is accepted again after the execution with this key has ended', async () => {
    const holder = await insertHeld({ deduplicationKey: 'order-3' });
    await executions.advance(holder, [started(), completed(null)], true);
    await expect(
      insert({ workflowId: holder.workflowId, deduplicationKey: 'order-3' }),
    ).resolves.toBeDefined();
  });

  it('one of two concurrent starts with the same deduplication key is refused', async () => {
    const workflowId = newId();
    const starts = [0, 1].map(() => insert({ workflowId, deduplicationKey: 'order-4' }));
    const statuses = (await Promise.allSettled(starts)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('advance of an execution', () => {
  it('`advance` adds the bytes of the new events to the bytes of the execution', async () => {
    const held = { ...(await insertHeld()), bytes: 500 };
    const after = await executions.advance(held, [started()], false);
    expect(after.bytes).toBeGreaterThan(500);
    expect(after.lease).toEqual({ owner, epoch: 1 });
  });

  it('`advance` with an old epoch is refused and writes nothing', async () => {
    const held = await insertHeld();
    const other = await insertHeld();
    await executions.revokeLease(held.id, LATER);
    const further = markedStatement('sqlite', 'UPDATE executions SET priority = 1 WHERE id = ?', [other.id]);
    await expect(
      executions.advance(held, [started()], false, { writes: [further], children: [] }),
    ).rejects.toThrow(LeaseLostError);
    expect(await eventsOf(held.id)).toEqual(['workflow.queued']);
    expect((await stored(other.id)).priority).toBe(5);
  });

  it('only one of two concurrent appends with the same sequence number succeeds', async () => {
    const held = await insertHeld();
    const commits = [started(), started()].map((event) => executions.advance(held, [event], false));
    const results = await Promise.allSettled(commits);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await eventsOf(held.id)).toEqual(['workflow.queued', 'workflow.started']);
  });

  it('`advance` does not make an execution runnable while the execution waits for admission', async () => {
    const parked = await insertHeld({
      admission: 'parked',
      progress: { ...NOT_STARTED, runnableAt: NOW },
    });
    const after = await executions.advance(parked, [started()], true);
    expect([after.progress.runnableAt, (await stored(parked.id)).progress.runnableAt]).toEqual([null, null]);
  });

  it('the end of an admitted execution frees its slot', async () => {
    const places = new AdmissionRepository(world.store.dataSource, 'sqlite', world.store.writer);
    const execution = newExecution({ admission: 'admitted', lease: { owner, epoch: 1 } });
    const { id, workflowId, priority } = execution;
    const place = { executionId: id, workflowId, sessionId: null, priority, dueAt: NOW, slot: 0 };
    await executions.insert(execution, [queued(null)], [places.entering(place)]);
    const left: string[] = [];
    executions.onSlotReleased((one) => left.push(one.id));
    const running = await executions.advance(execution, [started()], false);
    expect([left, await places.taken(workflowId)]).toEqual([[], [0]]);
    await executions.advance(running, [completed(1)], true);
    expect([left, await places.taken(workflowId)]).toEqual([[id], []]);
  });
});

describe('the end of a child execution', () => {
  const waiting = async (): Promise<readonly unknown[]> =>
    (await messages.list(parent.id)).map(({ message }) => message);
  let parent: Execution;
  let child: Execution;

  beforeEach(async () => {
    parent = await insertHeld();
    child = await insertHeld({ parentId: parent.id, rootId: parent.id, depth: 1 });
  });

  it('the end of a child sends its output to the inbox of its parent', async () => {
    await executions.advance(child, [started(), completed({ total: 3 })], true);
    expect(await waiting()).toMatchObject([
      { kind: 'child', end: { id: child.id, status: 'completed', output: { total: 3 }, error: null } },
    ]);
  });

  it('an event of a running child sends no message to the parent', async () => {
    await executions.advance(child, [started()], false);
    expect(await waiting()).toEqual([]);
  });

  it('the end of a child sends no message to an ended parent', async () => {
    await executions.forceAppend(child, [cancelled()], { writes: [], children: [], isOrphan: true });
    expect(await waiting()).toEqual([]);
  });

  it('the message to the parent about the end of a child contains a reference instead of a long output', async () => {
    await executions.advance(child, [started(), completed(LONG)], true);
    const [row] = await world.rows<{ payload: string }>(
      'SELECT payload FROM execution_messages WHERE execution_id = ?',
      parent.id,
    );
    expect(row?.payload.length).toBeLessThan(1_000);
  });
});

describe('starting a child execution', () => {
  function childOf(parent: Execution, own: Partial<Execution> = {}): NewExecution & { settledCount: number } {
    const rootId = parent.rootId ?? parent.id;
    const execution = newExecution({ parentId: parent.id, rootId, depth: parent.depth + 1, ...own });
    const child = {
      execution,
      events: [queued(null)],
      also: [],
      settledCount: 0,
      settled: (): void => void (child.settledCount += 1),
    };
    return child;
  }

  it('`advance` writes a child execution with the events of its parent, and calls `settled` of the child once', async () => {
    const parent = await insertHeld();
    const child = childOf(parent);
    await executions.advance(parent, [started()], false, { writes: [], children: [child] });
    expect(await stored(child.execution.id)).toMatchObject({ parentId: parent.id, depth: 1 });
    expect([await eventsOf(child.execution.id), child.settledCount]).toEqual([['workflow.queued'], 1]);
  });

  it('`advance` writes no child execution if the process has lost the lease of the parent', async () => {
    const parent = await insertHeld();
    await executions.revokeLease(parent.id, LATER);
    const child = childOf(parent);
    await expect(
      executions.advance(parent, [started()], false, { writes: [], children: [child] }),
    ).rejects.toThrow(LeaseLostError);
    expect([await executions.find(child.execution.id), child.settledCount]).toEqual([undefined, 1]);
  });

  it('a child execution is refused when an ancestor two levels up has ended', async () => {
    const root = await insertHeld();
    const middle = await insertHeld({ parentId: root.id, rootId: root.id, depth: 1 });
    const leaf = await insertHeld({ parentId: middle.id, rootId: root.id, depth: 2 });
    await executions.forceAppend(root, [cancelled()]);
    const child = childOf(leaf);
    await expect(
      executions.advance(leaf, [started()], false, { writes: [], children: [child] }),
    ).rejects.toThrow(AncestorEndedError);
    expect([await executions.find(child.execution.id), child.settledCount]).toEqual([undefined, 1]);
    expect(await eventsOf(leaf.id)).toEqual(['workflow.queued']);
  });

  it('`advance` calls `onSlotReleased` listeners for each committed child that waits for admission', async () => {
    const parent = await insertHeld();
    const left: string[] = [];
    executions.onSlotReleased(({ id }) => left.push(id));
    const children = [childOf(parent), childOf(parent, { admission: 'parked' })];
    await executions.advance(parent, [started()], false, { writes: [], children });
    expect(left).toEqual([children[1]?.execution.id]);
  });
});

describe('forceAppend', () => {
  it('`forceAppend` prevents further appends by the process that held the lease', async () => {
    const held = await insertHeld();
    const ended = await executions.forceAppend(held, [cancelled()]);
    expect([ended.lease, (await stored(held.id)).lease]).toEqual([
      { owner: null, epoch: 2 },
      { owner: null, epoch: 2 },
    ]);
    await expect(executions.advance(held, [started()], false)).rejects.toThrow(LeaseLostError);
  });

  it('`forceAppend` is refused if the lease holder appended an event after the caller had read the execution', async () => {
    const held = await insertHeld();
    await executions.advance(held, [started()], false);
    await expect(executions.forceAppend(held, [cancelled()])).rejects.toThrow(ExecutionChangedError);
    expect(await eventsOf(held.id)).toEqual(['workflow.queued', 'workflow.started']);
  });
});

describe('releasing and revoking leases', () => {
  it('`revokeLease` prevents claims of the execution until a given time', async () => {
    const held = await insertHeld();
    await executions.revokeLease(held.id, LATER);
    expect(await stored(held.id)).toMatchObject({
      lease: { owner: null, epoch: 2 },
      progress: { runnableAt: LATER, statusReason: HANDED_OVER, lastSequence: 1 },
    });
  });

  it.each<[string, () => Promise<Execution>]>([
    ['that has no lease', () => insert()],
    ['that has ended', async () => executions.advance(await insertHeld(), [started(), completed(1)], false)],
  ])('`revokeLease` has no effect on an execution %s', async (_, make) => {
    const before = await stored((await make()).id);
    await executions.revokeLease(before.id, LATER);
    expect(await stored(before.id)).toEqual(before);
  });

  it('`handOver` releases only the unfinished executions of the given process', async () => {
    const mine = [await insertHeld(), await insertHeld()];
    const other = await insert({ lease: { owner: await world.addProcess(), epoch: 1 } });
    expect((await executions.leasesOf(owner)).map(({ id }) => id).toSorted()).toEqual(
      mine.map(({ id }) => id).toSorted(),
    );
    expect(await executions.handOver(owner, NOW)).toBe(2);
    expect(await executions.leasesOf(owner)).toEqual([]);
    for (const { id } of mine)
      expect(await stored(id)).toMatchObject({
        lease: { owner: null, epoch: 2 },
        progress: { runnableAt: NOW, statusReason: HANDED_OVER },
      });
    expect((await stored(other.id)).lease).toEqual(other.lease);
    expect(await executions.handOver(owner, NOW)).toBe(0);
  });

  it('`releaseOrphans` releases only the executions of dead processes', async () => {
    const dead = await world.addProcess();
    const lost = await insert({ lease: { owner: dead, epoch: 4 } });
    const kept = await insertHeld();
    await world.instances.remove([dead]);
    expect(await executions.releaseOrphans(NOW)).toBe(1);
    expect(await stored(lost.id)).toMatchObject({
      lease: { owner: null, epoch: 4 },
      progress: { runnableAt: NOW, statusReason: HOLDER_LOST },
    });
    expect((await stored(kept.id)).lease.owner).toBe(owner);
    expect(await executions.releaseOrphans(NOW)).toBe(0);
  });

  it('`handBack` does not release a lease that another process has taken', async () => {
    const held = await insertHeld();
    await executions.revokeLease(held.id, LATER);
    await executions.handBack(held, NOW, WORKFLOW_UNAVAILABLE);
    expect((await stored(held.id)).progress).toMatchObject({ runnableAt: LATER, statusReason: HANDED_OVER });
  });
});

describe('reading an execution', () => {
  it('long inputs and outputs are loaded only when the whole execution is read', async () => {
    const held = await insertHeld({ input: LONG });
    await executions.advance(held, [started(), completed([LONG])], true);
    const row = await stored(held.id);
    expect([row.input, row.progress.output]).toEqual([expect.any(LongValue), expect.any(LongValue)]);
    const whole = await executions.findWhole(held.id);
    expect([whole?.input, whole?.progress.output]).toEqual([LONG, [LONG]]);
  });

  it('`withValues` omits a value over the size limit, but returns the size of the value', async () => {
    const { id } = await insert({ input: LONG });
    const { input } = await executions.withValues(await stored(id), INLINE_LIMIT);
    expect(input).toBeInstanceOf(LongValue);
    // The size is the length of the JSON text, which includes two quotation marks.
    expect(input).toMatchObject({ size: LONG.length + 2 });
  });
});
