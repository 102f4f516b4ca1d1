import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import {
  configured,
  CRASHES,
  EXECUTION,
  type RandomExecution,
  REQUESTS,
} from '../../test/support/execution-arbitrary.js';
import { expectedOf, needsOf } from '../../test/support/reference-execution.js';
import {
  CANCEL_REASON,
  type Scenario,
  simulate,
  type SimulatedEnd,
} from '../../test/support/simulated-run.js';
import {
  EVENT_TYPES,
  type EventType,
  FINAL_STATUSES,
  isFinalEventType,
  isSettled,
  type JournalEvent,
  stateKey,
} from '../execution-events/index.js';
import type { LoopDefinition, NodeDefinition } from './definition.js';
import { fold } from './fold.js';
import { compact } from './loop.js';
import { next } from './next.js';
import type { Plan } from './plan.js';
import { type ExecutionState } from './state.js';

const RUNS = 400;
/** Seed whose random executions contain every event type. The seed was found by trial. */
const SEED_OF_EVERY_TYPE = 1;

describe('a random execution', () => {
  it('a random execution ends as the reference model predicts and writes a consistent journal', () => {
    fc.assert(
      fc.property(EXECUTION, (execution) => {
        const end = simulate(watched(execution));
        expectSound(execution, end);
        expectExpectedEnd(execution, end);
      }),
      { numRuns: RUNS },
    );
  });

  it('a crash at any event and a second crash during the recovery do not change how a random execution ends', () => {
    const diedAfter = new Set<EventType>();
    const property = fc.property(EXECUTION, REQUESTS, (execution, requests) => {
      const uncrashed = simulate({ ...watched(execution), requests });
      uncrashed.journal.forEach(({ type }, index) => {
        for (const lengths of [[index + 1], [index + 1, index + 2]]) {
          const crashes = lengths.map((after) => ({ after, when: 'at_once', cause: 'crash' }) as const);
          const crashed = simulate({ ...execution, requests, crashes });
          expect(crashed.diedAfter[0]).toBe(type);
          for (const last of crashed.diedAfter) diedAfter.add(last);
          expectSameEnd(execution, crashed, uncrashed);
        }
      });
    });
    // With this seed, the random executions contain every event type. The check that a crash followed each event type
    // therefore does not depend on chance.
    fc.assert(property, { numRuns: RUNS / 20, seed: SEED_OF_EVERY_TYPE });
    expect([...diedAfter].sort()).toEqual([...EVENT_TYPES].sort());
    fc.assert(property, { numRuns: RUNS / 20 });
  });

  it('any number of crashes does not change how a random execution ends', () => {
    let crashed = 0;
    fc.assert(
      fc.property(EXECUTION, CRASHES, REQUESTS, (execution, crashes, requests) => {
        const end = simulate({ ...watched(execution), crashes, requests });
        crashed += end.diedAfter.length;
        expectSameEnd(execution, end, simulate({ ...execution, requests }));
      }),
      { numRuns: RUNS },
    );
    expect(crashed).toBeGreaterThan(RUNS / 2);
  });

  it('a random execution ends at its timeout at the latest, even if a node waits forever', () => {
    const ends = new Set<string>();
    const arbitrary = fc.tuple(EXECUTION, fc.constantFrom(1, 4, 20), fc.boolean());
    fc.assert(
      fc.property(arbitrary, CRASHES, ([generous, timeoutSeconds, waitsForEver], crashes) => {
        const execution = configured(generous, { timeout_seconds: timeoutSeconds }, waitsForEver);
        const end = simulate({ ...watched(execution), crashes });
        expectSound(execution, end);
        const isLate = (end.journal.at(-1)?.at ?? 0) >= (end.state.timeoutAt ?? Infinity);
        expect(end.state.status === 'timed_out').toBe(isLate);
        if (!isLate) expectExpectedEnd(execution, end);
        ends.add(end.state.status);
      }),
      { numRuns: RUNS },
    );
    expect([...ends].sort()).toEqual(['completed', 'failed', 'timed_out']);
  });

  it('crashes do not change how a random execution ends if the timeout counts active time', () => {
    let longest = 0;
    fc.assert(
      fc.property(EXECUTION, CRASHES, REQUESTS, (generous, crashes, requests) => {
        const execution = configured(generous, { timeout_counts: 'active' }, false);
        const end = simulate({ ...watched(execution), crashes, requests });
        expectSameEnd(execution, end, simulate({ ...execution, requests }));
        expect(end.state.active?.usedMs ?? 0).toBe(activeMsOf(end.journal));
        longest = Math.max(longest, activeMsOf(end.journal));
      }),
      { numRuns: RUNS },
    );
    expect(longest).toBeGreaterThan(0);
  });

  it('a random execution with a limit of active time times out at this limit or at its deadline', () => {
    const errors = new Set<string>();
    const arbitrary = fc.tuple(EXECUTION, fc.constantFrom(1, 4), fc.constantFrom(2, 10, 60), fc.boolean());
    fc.assert(
      fc.property(arbitrary, CRASHES, ([generous, seconds, deadline, waitsForEver], crashes) => {
        const config = {
          timeout_counts: 'active',
          timeout_seconds: seconds,
          deadline_seconds: deadline,
        } as const;
        const execution = configured(generous, config, waitsForEver);
        const { journal, state } = simulate({ ...watched(execution), crashes });
        expectSound(execution, { journal, state, diedAfter: [] });
        const last = journal.at(-1);
        const livedMs = (last?.at ?? 0) - (state.startedAt ?? 0);
        const isLate = activeMsOf(journal) >= seconds * 1_000;
        const isTooOld = livedMs >= deadline * 1_000;
        const error =
          last?.type === 'workflow.failed' && last.data.status === 'timed_out' ? last.data.error.type : null;
        if (error === null) expect([isLate, isTooOld]).toEqual([false, false]);
        else expect(error === 'deadline_exceeded' ? isTooOld : isLate).toBe(true);
        if (error !== null) errors.add(error);
      }),
      { numRuns: RUNS },
    );
    expect([...errors].sort()).toEqual(['deadline_exceeded', 'execution_timeout']);
  });
});

/**
 * Computes the active time of a journal independently of the engine, in milliseconds. Time counts from each start,
 * resumption or recovery to the next wait, pause, crash or end.
 */
function activeMsOf(journal: readonly JournalEvent[]): number {
  let [sum, last, isStarted, isPaused] = [0, 0, false, false];
  let from: number | null = null;
  const stop = (at: number): void => {
    sum += from === null ? 0 : at - from;
    from = null;
  };
  for (const { type, at } of journal) {
    if (type === 'workflow.waiting' || type === 'workflow.paused' || isFinalEventType(type)) stop(at);
    if (type === 'workflow.recovered') stop(last);
    if (type === 'workflow.paused') isPaused = true;
    if (type === 'workflow.resumed') isPaused = false;
    if (type === 'workflow.started') isStarted = true;
    const begins = ['workflow.started', 'workflow.resumed', 'workflow.recovered'].includes(type);
    if (begins && isStarted && !isPaused) from ??= at;
    last = at;
  }
  return sum;
}

/**
 * Returns a scenario that makes each decision of a simulation a second time, from a frozen copy of the state. The
 * second decision must equal the first. The state after a decision must equal the fold of the decision's events.
 */
function watched(execution: RandomExecution): Scenario {
  const { plan } = execution;
  const onDecision: Scenario['onDecision'] = (state, now, decision, inbox) => {
    const nodes = [...state.nodes];
    const again = next(plan, deeplyFrozen(state), now, deeplyFrozen(EVALUATION_CONTEXT), deeplyFrozen(inbox));
    expect(again).toEqual(decision);
    expect([...state.nodes]).toEqual(nodes);
    const folded = (after: ExecutionState): object => comparable(compact(plan, after, EVALUATION_CONTEXT));
    expect(folded(decision.state)).toEqual(folded(fold(decision.events, state)));
  };
  return { ...execution, onDecision };
}

/** Returns a state with its nodes as a list, so that states with different internal storage can be compared. */
function comparable(state: ExecutionState): object {
  return { ...state, nodes: [...state.nodes] };
}

function deeplyFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    const parts = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.values(value);
    for (const part of parts) deeplyFrozen(part);
  }
  return value;
}

/** Asserts that an execution has the same outcome with and without crashes, unless the outcome depends on timing. */
function expectSameEnd(execution: RandomExecution, crashed: SimulatedEnd, uncrashed: SimulatedEnd): void {
  expectSound(execution, crashed);
  if (crashed.state.status === 'cancelled') {
    expect(crashed.journal.at(-1)).toMatchObject({ data: { reason: CANCEL_REASON } });
    return expectFates(execution, crashed.state);
  }
  expectExpectedEnd(execution, crashed);
  const expected = expectedOf(execution);
  const isCertain =
    expected.isCertain && expected.fatal.length <= 1 && uncrashed.state.status !== 'cancelled';
  if (isCertain) expect(outcomeOf(crashed)).toEqual(outcomeOf(uncrashed));
}

function outcomeOf({ state, journal }: SimulatedEnd): unknown {
  const { status, output } = state;
  const last = journal.at(-1);
  if (last?.type === 'workflow.failed') return { status, error: last.data.error };
  const nodes = [...state.nodes].map(([id, node]) => [
    id,
    { status: node.status, attempt: node.attempt, output: node.output, error: node.error },
  ]);
  return { status, output, nodes: Object.fromEntries(nodes) };
}

/** Asserts that each ended node has the status, output, attempt and error code that the reference model predicts. */
function expectFates(execution: RandomExecution, state: ExecutionState): void {
  const { fates } = expectedOf(execution);
  for (const [id, node] of state.nodes) {
    if (!isSettled(node.status)) continue;
    const { status, output, attempt, error } = node;
    const fate = fates.get(id);
    expect({ id, status, output, attempt, code: error?.code }).toEqual({
      id,
      status: fate?.status,
      output: fate?.output,
      attempt: fate?.attempt,
      code: fate?.error?.code,
    });
  }
}

/** Asserts that an execution ended with the outcome that the reference model predicts. */
function expectExpectedEnd(execution: RandomExecution, { state, journal }: SimulatedEnd): void {
  expectFates(execution, state);
  const { fates, fatal, end } = expectedOf(execution);
  const last = journal.at(-1);
  if (fatal.length > 0) {
    if (last?.type !== 'workflow.failed') expect.fail(`It ended with ${last?.type}.`);
    expect(fatal).toContain(last.data.error.node_id);
    expect(last.data.error.type).toBe(fates.get(last.data.error.node_id ?? '')?.error?.code);
  } else if ('error' in end)
    expect(last).toMatchObject({ type: 'workflow.failed', data: { error: end.error } });
  else {
    expect(last).toMatchObject({ type: 'workflow.completed' });
    expect(state.output).toEqual(end.output);
    expect(state.settled).toBe(execution.plan.order.length);
  }
}

/** Asserts the invariants of every journal, with or without crashes. */
function expectSound(execution: RandomExecution, { journal, state }: SimulatedEnd): void {
  const { plan } = execution;
  expect(FINAL_STATUSES).toContain(state.status);
  expect(comparable(compact(plan, fold(journal), EVALUATION_CONTEXT))).toEqual(
    comparable(compact(plan, state, EVALUATION_CONTEXT)),
  );
  expect(state.sequence).toBe(journal.length);
  expect(journal.map(({ type }) => isFinalEventType(type)).indexOf(true)).toBe(journal.length - 1);
  expect(JSON.stringify(journal)).not.toContain('s3cret');
  expectIncremental(journal);
  expectSettledOnce(journal);
  expectProgress(journal, plan);
  expectOrder(journal, execution);
  const scheduled = execution.scheduledAfterMs ?? 0;
  const started = journal.find(({ type }) => type === 'workflow.started');
  expect((started?.at ?? Infinity) - (journal[0]?.at ?? 0)).toBeGreaterThanOrEqual(scheduled);
}

function expectIncremental(journal: readonly JournalEvent[]): void {
  const whole = fold(journal);
  const middle = Math.floor(journal.length / 2);
  expect(comparable(fold(journal.slice(middle), fold(journal.slice(0, middle))))).toEqual(comparable(whole));
  let before = fold([]);
  for (const event of journal) {
    const frozen = deeplyFrozen(before);
    const nodes = [...frozen.nodes];
    before = fold([event], frozen);
    expect([...frozen.nodes]).toEqual(nodes);
  }
  expect(comparable(before)).toEqual(comparable(whole));
}

const SETTLING: readonly EventType[] = [
  'workflow.node.complete',
  'workflow.node.failed',
  'workflow.node.skipped',
];

/** Returns the key under which the state stores the node of an event. Each iteration of a loop has its own keys. */
function keyOf({ nodeId, data }: JournalEvent): string {
  return 'node_id' in data ? stateKey(nodeId ?? '', data.iteration_of, data.iteration) : '';
}

function isInLoop({ data }: JournalEvent): boolean {
  return 'iteration' in data;
}

function expectSettledOnce(journal: readonly JournalEvent[]): void {
  const settled = journal.filter(({ type }) => SETTLING.includes(type)).map(keyOf);
  expect(settled).toEqual([...new Set(settled)]);
}

function expectProgress(journal: readonly JournalEvent[], plan: Plan): void {
  let completed = 0;
  for (const event of journal) {
    completed += Number(SETTLING.includes(event.type) && !isInLoop(event));
    if ('progress' in event.data)
      expect(event.data.progress).toEqual({ completed, total: plan.order.length });
  }
  if (journal.at(-1)?.type === 'workflow.completed') expect(completed).toBe(plan.order.length);
}

/**
 * Checks the order of events. Nodes start after the nodes that they need, and concurrency limits hold. No node starts
 * while the execution is paused or waiting.
 */
function expectOrder(journal: readonly JournalEvent[], { nodes, config }: RandomExecution): void {
  const needs = new Map(nodes.map((node) => [node.id, needsOf(node)]));
  const bodies = new Map(nodes.filter(({ type }) => type === 'loop').map((node) => [node.id, bodyOf(node)]));
  const settled = new Set<string>();
  const running = new Set<string>();
  let still: 'waiting' | 'paused' | null = null;
  let at = 0;
  for (const event of journal) {
    expect(event.at).toBeGreaterThanOrEqual(at);
    at = event.at;
    if (event.type === 'workflow.recovered') {
      const nodeIds = [...running].map((key) => key.slice(key.lastIndexOf('.') + 1));
      expect([...event.data.node_ids].sort()).toEqual([...new Set(nodeIds)].sort());
      running.clear();
      if (still === 'waiting') still = null;
    }
    if (event.type === 'workflow.waiting' || event.type === 'workflow.paused') still = event.data.status;
    if (event.type === 'workflow.resumed') still = null;
    if (event.nodeId === null || event.type === 'workflow.node.progress') continue;
    const { nodeId } = event;
    const { iteration_of: loopId, iteration = 0 } = event.data;
    const key = keyOf(event);
    if (loopId !== undefined) expect(settled).not.toContain(loopId);
    if (event.type === 'workflow.node.started') {
      expect(still).toBeNull();
      const inner = bodies.get(loopId ?? '')?.needs.get(nodeId);
      const own = inner?.map((id) => stateKey(id, loopId, iteration)) ?? needs.get(nodeId);
      expect(own?.filter((id) => !settled.has(id))).toEqual([]);
      expect(running).not.toContain(key);
      expect(settled).not.toContain(key);
      if (event.data.iterations === undefined) running.add(key);
    } else running.delete(key);
    expect(running.size).toBeLessThanOrEqual(config.max_concurrency ?? 0);
    for (const [id, { atOnce }] of bodies) {
      const inside = [...running].filter((one) => one.startsWith(`${id}[`));
      expect(new Set(inside.map((one) => one.split('.')[0])).size).toBeLessThanOrEqual(atOnce);
    }
    if (!SETTLING.includes(event.type)) continue;
    settled.add(key);
    // When a loop ends, its running attempts are abandoned without a further event.
    for (const one of running) if (one.startsWith(`${key}[`)) running.delete(one);
  }
}

/**
 * Returns the dependencies of the nodes in a loop's body, and the maximum number of items that the loop runs
 * at the same time.
 */
function bodyOf(node: NodeDefinition): {
  readonly needs: ReadonlyMap<string, readonly string[]>;
  readonly atOnce: number;
} {
  const { nodes, max_concurrency } = node.with as unknown as LoopDefinition;
  const ids = new Set(nodes.map(({ id }) => id));
  const needs = nodes.map((one) => [one.id, needsOf(one).filter((id) => ids.has(id))] as const);
  return { needs: new Map(needs), atOnce: max_concurrency as number };
}
