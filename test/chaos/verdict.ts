import type { ExecutionView } from '../support/execution-views.js';
import { until } from '../support/until.js';
import type { Effects } from './effects.js';
import type { Follower } from './follower.js';
import { journalFaults, type SeenEvent } from './journal-verdict.js';
import { type Acknowledged, inParallel, type Load, type Tenant } from './load.js';
import { CHILD_NODES, childOutput, effectsOf, MIXED_NODES, mixedOutput } from './mixed-workflow.js';

const FINAL = ['completed', 'failed', 'cancelled', 'timed_out'];
const PAGE = 100;
/** Milliseconds to wait for the end of an execution. After that time, the test reports the execution as unfinished. */
const DRAIN_MS = 420_000;
/**
 * Maximum number of idempotency keys that a violation names. A report has at most 100 violations (`NAMED *
 * NAMED`).
 */
const NAMED = 10;

/** The observations of a chaos test that `verdictOf` checks. */
export interface Evidence {
  readonly load: Load;
  readonly started: readonly Acknowledged[];
  readonly effects: Effects;
  readonly followers: readonly Follower[];
}

/**
 * Waits until all started executions have ended, and checks them.
 * @returns one text for each violation, such as a lost or duplicate result, a gap in a journal, or an event of another
 * tenant
 */
export async function verdictOf({ load, started, effects, followers }: Evidence): Promise<readonly string[]> {
  const faults: string[] = [...load.faults];
  const childIds = new Map<string, string>();
  await inParallel(started.length, async (index) => {
    const one = started[index];
    if (one === undefined) return;
    faults.push(...(await faultsOf(load, one, childIds)).map((fault) => `${one.id}: ${fault}`));
  });
  for (const { id, isLight } of started)
    for (const key of isLight ? [`${id}:call`] : effectsOf(id, childIds.get(id) ?? ''))
      if (!effects.calls.has(key)) faults.push(`the effect ${key} never happened`);
  const own = new Set(load.acknowledged.flatMap(({ id }) => [id]).concat([...childIds.values()]));
  const strange = [...effects.calls.keys()].filter((key) => !own.has(key.split(':', 1)[0] ?? ''));
  // The load may include executions of earlier tests, whose child executions this test does not know. The
  // check for unknown executions therefore runs only if this test started all acknowledged executions.
  if (load.acknowledged.length === started.length && strange.length > 0)
    faults.push(`effects of unknown executions: ${strange.slice(0, NAMED).join(', ')}`);
  for (const follower of followers) faults.push(...(await faultsOfFollower(follower, started)));
  return faults.slice(0, NAMED * NAMED);
}

/**
 * Checks executions of which some were cancelled. Each execution must have ended once, as completed or cancelled.
 * @returns one text for each violation
 */
export async function faultsOfCancelled(
  load: Load,
  started: readonly Acknowledged[],
): Promise<readonly string[]> {
  const faults: string[] = [...load.faults];
  await inParallel(started.length, async (index) => {
    const one = started[index];
    if (one === undefined) return;
    const end = await endOf(load, one.id, one.tenant);
    const journal = journalFaults(await eventsOf(load, one.id, one.tenant), []);
    const wrong = [...(typeof end === 'string' ? [end] : journal)];
    const status = typeof end === 'string' ? 'lost' : end.status;
    if (status !== 'completed' && status !== 'cancelled') wrong.push(`it ended ${status}`);
    faults.push(...wrong.map((fault) => `${one.id}: ${fault}`));
  });
  return faults;
}

async function faultsOf(
  load: Load,
  { id, n, tenant, isLight }: Acknowledged,
  childIds: Map<string, string>,
): Promise<readonly string[]> {
  const execution = await endOf(load, id, tenant);
  if (typeof execution === 'string') return [execution];
  const events = await eventsOf(load, id, tenant);
  const faults = [...journalFaults(events, isLight ? CHILD_NODES : MIXED_NODES)];
  const expected = JSON.stringify(isLight ? childOutput(n) : mixedOutput(n));
  if (execution.status !== 'completed')
    faults.push(`${execution.status}: ${JSON.stringify(execution.error)} after ${tailOf(events)}`);
  else if (JSON.stringify(execution.output) !== expected)
    faults.push(`the output is ${JSON.stringify(execution.output)}`);
  if (isLight) return faults;
  const child = events.find((event) => event.data['child_execution_id'] !== undefined)?.data[
    'child_execution_id'
  ];
  if (typeof child !== 'string') return [...faults, 'it has no child'];
  childIds.set(id, child);
  const childFaults = journalFaults(await eventsOf(load, child, tenant), CHILD_NODES);
  return [...faults, ...childFaults.map((fault) => `child ${child}: ${fault}`)];
}

async function endOf(load: Load, id: string, { key }: Tenant): Promise<ExecutionView | string> {
  const read = (): Promise<ExecutionView> => load.read<ExecutionView>(`/v1/executions/${id}`, key);
  try {
    return await until(
      'the end of the execution',
      async () => {
        const execution = await read();
        return FINAL.includes(execution.status) && execution;
      },
      { limitMs: DRAIN_MS, everyMs: 250 },
    );
  } catch {
    return `it does not end: ${JSON.stringify(await load.read(`/v1/executions/${id}/explain`, key))}`;
  }
}

async function eventsOf(load: Load, id: string, { key }: Tenant): Promise<readonly SeenEvent[]> {
  const events: SeenEvent[] = [];
  for (;;) {
    const path = `/v1/executions/${id}/events?limit=${PAGE}&after=${events.at(-1)?.sequence ?? 0}`;
    const { data } = await load.read<{ data: readonly SeenEvent[] }>(path, key);
    events.push(...data);
    if (data.length < PAGE) return events;
  }
}

function tailOf(events: readonly SeenEvent[]): string {
  return events
    .slice(-6)
    .map(({ type, node_id: node }) => `${type} ${node ?? ''}`.trim())
    .join(', ');
}

async function faultsOfFollower(
  follower: Follower,
  started: readonly Acknowledged[],
): Promise<readonly string[]> {
  const own = started.filter(({ tenant }) => tenant === follower.tenant);
  const unseen = (): readonly Acknowledged[] => own.filter(({ id }) => !follower.ended.has(id));
  const all = await until('the final events in the feed', () => unseen().length === 0).catch(() => false);
  return all
    ? follower.faults
    : [...follower.faults, `a socket did not receive the final event of ${unseen().length} executions`];
}
