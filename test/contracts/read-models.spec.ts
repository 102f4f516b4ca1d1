import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blankPicture, type WireEvent, withEvent } from '../../src/display/index.js';
import { type ExecutionState, fold, type NodeState } from '../../src/engine/index.js';
import { isFinal, type JournalEvent, stateKey } from '../../src/execution-events/index.js';
import { NOT_STARTED, progressAfter } from '../../src/execution-store/execution.js';
import { type NodeExecution, NodeTable } from '../../src/executions/node-execution.js';
import { NodeRows } from '../../src/executions/node-rows.js';
import { type Envelope, envelopeOf } from '../../src/journal/envelope.js';
import { CRASHES, EXECUTION, type RandomExecution, REQUESTS } from '../support/execution-arbitrary.js';
import { simulate } from '../support/simulated-run.js';

/**
 * Types of a dashboard module, as far as this test needs them. The dashboard is compiled with its own options, so the
 * test cannot import the types.
 */
interface RunStates {
  readonly INITIAL_RUN_STATE: RunState;
  fold(state: RunState, events: readonly Envelope[]): RunState;
  runOf(state: RunState, key: string): Shown | undefined;
}
interface RunState {
  readonly status: string;
  readonly startedAt: number | null;
  readonly progress: { readonly completed: number } | null;
}
interface Shown {
  readonly status: string;
  readonly attempt: number;
  readonly waiting: { readonly wakeAt: number | null } | null;
}

const dashboard = (await import(
  new URL('../../dashboard/src/pages/execution/run-state.ts', import.meta.url).href
)) as RunStates;

it('each read model has the same state as the engine after every event of random executions', () => {
  const property = fc.property(EXECUTION, CRASHES, REQUESTS, (execution, crashes, requests) => {
    const { journal } = simulate({ ...execution, crashes, requests });
    const models = new ReadModels(execution, journal);
    let state: ExecutionState | undefined;
    for (const event of journal) {
      state = fold([event], state);
      models.add(event, state.sequence);
      expectSame(models, state);
      // Skips ended executions, because each read model shows unfinished nodes of an ended execution in its own way.
      if (!isFinal(state.status)) for (const [key, node] of state.nodes) expectSameNode(models, key, node);
    }
  });
  fc.assert(property, { numRuns: 200 });
});

/** The read models that must agree with the engine: execution row, node table, terminal display and dashboard. */
class ReadModels {
  row = NOT_STARTED;
  picture;
  run = dashboard.INITIAL_RUN_STATE;
  private readonly table: NodeTable;
  /** Maps the id of each node inside a loop to the id of the loop. */
  private readonly loops: ReadonlyMap<string, string>;

  constructor(
    { plan }: RandomExecution,
    private readonly journal: readonly JournalEvent[],
  ) {
    const nodes = plan.order.map(({ id, type, body }) => ({
      id,
      type: type.type,
      body: (body?.order ?? []).map((inner) => ({ id: inner.id, type: inner.type.type })),
    }));
    this.loops = new Map(nodes.flatMap(({ id, body }) => body.map((inner) => [inner.id, id])));
    this.picture = blankPicture(nodes);
    const items = journal.flatMap(({ data }) =>
      'iterations' in data && data.iterations !== undefined ? [[data.node_id, data.iterations] as const] : [],
    );
    const rows = new NodeRows(nodes, new Map(items));
    this.table = new NodeTable(rows.part(0, rows.total));
  }

  add(event: JournalEvent, sequence: number): void {
    const served = this.served(sequence);
    if (sequence > 1) this.row = progressAfter(this.row, [event]);
    this.table.add(event, sequence);
    this.picture = withEvent(this.picture, served as WireEvent);
    this.run = dashboard.fold(this.run, [served]);
  }

  rowOf(key: string): NodeExecution | undefined {
    return this.table
      .list('running')
      .find(({ nodeId, iteration }) => stateKey(nodeId, this.loops.get(nodeId), iteration ?? 0) === key);
  }

  private served(sequence: number): Envelope {
    const scope = { executionId: 'execution', projectId: 'project', workflowId: 'workflow', sessionId: null };
    const id = '00000000-0000-7000-8000-000000000000';
    return envelopeOf({ ...scope, id, position: 1, firstSequence: 1, events: this.journal }, sequence - 1);
  }
}

function expectSame({ row, picture, run }: ReadModels, state: ExecutionState): void {
  const { sequence, status, startedAt, settled } = state;
  expect([row.status, picture.status, run.status]).toEqual([status, status, status]);
  expect([row.lastSequence, picture.sequence]).toEqual([sequence, sequence]);
  const starts = [instant(row.startedAt), picture.startedAt, run.startedAt];
  expect(starts).toEqual([startedAt, startedAt, startedAt]);
  const counts = [row.nodesCompleted, picture.completed, run.progress?.completed ?? 0];
  expect(counts).toEqual([settled, settled, settled]);
}

function expectSameNode(models: ReadModels, key: string, node: NodeState): void {
  const { status, attempt, wakeAt } = node;
  // A pending node has no attempt yet, or its process crashed during an attempt that will be repeated. So the
  // test does not compare the attempts of pending nodes.
  const expected = status === 'pending' ? { status } : { status, attempt };
  const row = models.rowOf(key);
  // After a crash, the node table shows the interrupted attempt as running until the attempt is repeated. So
  // the test does not compare table rows of pending nodes.
  if (row !== undefined && status !== 'pending')
    expect({ ...row, wakeAt: instant(row.wakeAt) }).toMatchObject({ ...expected, wakeAt });
  const drawn = models.picture.nodes.get(key);
  if (drawn !== undefined) expect(drawn).toMatchObject({ ...expected, wakeAt });
  const shown = dashboard.runOf(models.run, key);
  expect({ ...shown, wakeAt: shown?.waiting?.wakeAt ?? null }).toMatchObject({ ...expected, wakeAt });
}

function instant(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}
