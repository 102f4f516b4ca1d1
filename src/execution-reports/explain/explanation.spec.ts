import { describe, expect, it } from 'vitest';
import { planOf } from '../../../test/support/engine-plans.js';
import { queued } from '../../../test/support/execution-store.js';
import { fold } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { type Execution, NOT_STARTED } from '../../execution-store/index.js';
import { CrashQuarantine } from '../../execution-runner/index.js';
import { explanation } from './explanation.js';
import type { ExplanationFacts, ProcessFact } from './explanation-facts.js';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const BEFORE = '2026-11-21T11:59:00.000Z';
const LATER = '2026-11-21T12:01:00.000Z';
const ALIVE: ProcessFact = { id: 'p1', role: 'worker', host: 'h', pid: 1, silentMs: 100, held: 1 };
const BUSY: ProcessFact = { ...ALIVE, id: 'p2', held: 10 };

const plan = planOf(
  [
    { id: 'a', type: 'effect' },
    { id: 'b', type: 'effect' },
    { id: 'c', type: 'effect', needs: ['a'] },
  ],
  { max_concurrency: 1 },
);

function event(type: string, nodeId: string | null, data: JsonObject): JournalEvent {
  const attempt = nodeId === null ? null : 1;
  return { type, at: Date.parse(BEFORE), nodeId, attempt, data } as unknown as JournalEvent;
}

const STARTED = event('workflow.started', null, { status: 'running', timeout_at: LATER });
const RUNNING = event('workflow.node.started', 'a', { status: 'running', input: {} });
const waiting = (nodeId: string, data: JsonObject): JournalEvent =>
  event('workflow.node.waiting', nodeId, { status: 'waiting', wake_at: null, ...data });

function facts(
  execution: Partial<Omit<Execution, 'progress'>> & { readonly progress?: Partial<Execution['progress']> },
  more: Partial<ExplanationFacts> & { readonly after?: readonly JournalEvent[] } = {},
): ExplanationFacts {
  const { after = [], ...rest } = more;
  const events = [queued(null), ...after];
  return {
    execution: {
      id: 'e',
      projectId: 'p',
      workflowId: 'w',
      workflowVersion: 1,
      sessionId: 's',
      trigger: { type: 'api', id: null },
      input: null,
      metadata: {},
      priority: 5,
      attempt: 1,
      retryOf: null,
      parentId: null,
      rootId: null,
      depth: 0,
      scheduledFor: null,
      createdAt: BEFORE,
      deduplicationKey: null,
      trace: null,
      admission: null,
      ...execution,
      lease: execution.lease ?? { owner: null, epoch: 1 },
      progress: { ...NOT_STARTED, runnableAt: BEFORE, ...execution.progress },
    },
    state: fold(events),
    events,
    plan,
    unavailable: null,
    processes: [ALIVE, BUSY],
    capacity: 10,
    quarantine: new CrashQuarantine(5, 2),
    tree: { endedAncestor: null, descendants: null },
    isMemoryFull: false,
    place: null,
    now: NOW,
    ...rest,
  };
}

const CRASH = event('workflow.recovered', null, {
  cause: 'crash',
  recoveries: 1,
  progress: { completed: 0, total: 1 },
});
const LINE = { dueAt: BEFORE, cap: null, taken: 0, slotHolders: [], before: [] };
const HELD = { owner: 'p1', epoch: 1 };
const RUN = { status: 'running', runnableAt: null, timeoutAt: LATER } as const;
const ASLEEP = { status: 'waiting', runnableAt: null } as const;

describe('explanation', () => {
  it.each<[string, ExplanationFacts, object]>([
    [
      'for an ended execution',
      facts({ progress: { status: 'failed', statusReason: 'boom', finishedAt: BEFORE } }),
      { cause: 'ended', since: BEFORE, details: { reason: 'boom' }, frees: null, nodes: [] },
    ],
    [
      'for an execution that ended before its descendants',
      facts(
        { progress: { status: 'cancelled', finishedAt: BEFORE } },
        { tree: { endedAncestor: null, descendants: { total: 300, unfinished: 12 } } },
      ),
      {
        cause: 'ended',
        message:
          'The execution has ended with status cancelled. 12 of its 300 descendants have not ended; they are being cancelled in the background.',
        details: { descendants: { total: 300, unfinished: 12 } },
      },
    ],
    [
      'for an execution whose ancestor has ended',
      facts({ progress: RUN, lease: HELD }, { tree: { endedAncestor: 'root', descendants: null } }),
      { cause: 'ancestor_ended', holder: { type: 'execution', id: 'root' } },
    ],
    [
      'for an execution in the crash quarantine',
      facts({ progress: { ...RUN, statusReason: 'holder_lost' }, lease: HELD }, { after: [CRASH, CRASH] }),
      {
        cause: 'crash_quarantine',
        holder: { type: 'process', id: 'p1' },
        details: { recoveries: 2, max_recoveries: 5 },
      },
    ],
    [
      'for an execution that was recovered twice and runs again',
      facts({ progress: RUN, lease: HELD }, { after: [CRASH, CRASH] }),
      { cause: 'deciding' },
    ],
    [
      'for a paused execution',
      facts(
        { progress: { status: 'paused', runnableAt: null } },
        { after: [event('workflow.paused', null, { status: 'paused', reason: 'Lunch.', by: 'ada' })] },
      ),
      { cause: 'paused', since: BEFORE, message: 'The execution was paused: Lunch.', details: { by: 'ada' } },
    ],
    [
      'for a scheduled execution',
      facts({ progress: { runnableAt: LATER } }),
      { cause: 'scheduled', frees: { at: LATER } },
    ],
    [
      'for a scheduled execution that will be queued',
      facts({ admission: 'parked' }, { place: { ...LINE, dueAt: LATER, before: ['x'] } }),
      { cause: 'scheduled', frees: { at: LATER } },
    ],
    [
      'for an execution that waits for its session, which comes before its workflow',
      facts(
        { admission: 'parked' },
        { place: { ...LINE, cap: 1, taken: 1, slotHolders: ['y'], before: ['x', 'z'] } },
      ),
      {
        cause: 'serial_session',
        since: BEFORE,
        holder: { type: 'execution', id: 'x' },
        details: { session_id: 's', behind: ['x', 'z'] },
      },
    ],
    [
      'for an execution beyond max_running',
      facts({ admission: 'parked' }, { place: { ...LINE, cap: 2, taken: 2, slotHolders: ['x', 'y'] } }),
      {
        cause: 'max_running',
        holder: { type: 'execution', id: 'x' },
        details: { max_running: 2, holders: ['x', 'y'] },
      },
    ],
    [
      'for a queued execution that nothing blocks',
      facts({ admission: 'parked' }, { place: { ...LINE, cap: 2, taken: 1 } }),
      { cause: 'about_to_run' },
    ],
    ['for an execution that was just admitted', facts({ admission: 'parked' }), { cause: 'about_to_run' }],
    ['for an execution that nothing blocks', facts({}), { cause: 'about_to_run', since: BEFORE }],
    [
      'for an execution while every process is full',
      facts({}, { processes: [BUSY, { ...ALIVE, silentMs: 60_000 }] }),
      { cause: 'no_free_slot', details: { run_concurrency: 10, processes: [{ id: 'p2', held: 10 }] } },
    ],
    [
      'for an execution while no process is alive',
      facts({}, { processes: [{ ...ALIVE, silentMs: 60_000 }] }),
      { cause: 'no_live_process' },
    ],
    [
      'for an execution while no live process runs executions',
      facts({}, { processes: [{ ...ALIVE, role: 'api' }] }),
      { cause: 'no_live_process' },
    ],
    [
      'for an execution while every process that runs executions is full',
      facts({}, { processes: [{ ...ALIVE, role: 'api' }, BUSY, { ...BUSY, id: 'p3', role: null }] }),
      { cause: 'no_free_slot', details: { processes: [{ id: 'p2' }, { id: 'p3' }] } },
    ],
    [
      'for an execution that was handed over',
      facts({ progress: { statusReason: 'handed_over', status: 'running' } }),
      { cause: 'handed_over' },
    ],
    [
      'for an execution whose process crashed',
      facts({ progress: { statusReason: 'holder_lost' } }),
      { cause: 'holder_lost', holder: null },
    ],
    [
      'for an execution whose process sends no heartbeats',
      facts({ lease: HELD, progress: RUN }, { processes: [{ ...ALIVE, silentMs: 15_000 }, BUSY] }),
      { cause: 'holder_lost', since: '2026-11-21T11:59:45.000Z', holder: { type: 'process', id: 'p1' } },
    ],
    [
      'for an execution whose process is unknown',
      facts({ lease: { owner: 'gone', epoch: 1 }, progress: RUN }),
      { cause: 'holder_lost', holder: null },
    ],
    [
      'for an execution after an internal error of the service',
      facts({ progress: { statusReason: 'service_fault', runnableAt: LATER } }),
      { cause: 'service_fault', frees: { at: LATER } },
    ],
    [
      'for an execution whose workflow does not compile here',
      facts(
        { progress: { statusReason: 'workflow_unavailable', runnableAt: LATER } },
        { unavailable: 'A type is missing.' },
      ),
      { cause: 'workflow_unavailable', message: 'A type is missing.', frees: { at: LATER } },
    ],
    [
      'for a paused execution whose workflow does not compile here',
      facts(
        { progress: { status: 'paused', runnableAt: null } },
        { after: [event('workflow.paused', null, { status: 'paused' })], unavailable: 'A type is missing.' },
      ),
      { cause: 'paused' },
    ],
    [
      'for an execution that runs in another process, which can compile its workflow',
      facts({ lease: HELD, progress: RUN }, { unavailable: 'A type is missing.' }),
      { cause: 'deciding' },
    ],
    [
      'for an execution that was just claimed',
      facts({ lease: HELD, progress: { runnableAt: null } }),
      { cause: 'deciding', holder: { type: 'process', id: 'p1' } },
    ],
    [
      'for an execution with running nodes',
      facts(
        { lease: HELD, progress: RUN },
        { after: [STARTED, RUNNING], plan: planOf([{ id: 'a', type: 'effect' }]) },
      ),
      {
        cause: 'node_running',
        since: BEFORE,
        holder: { type: 'process', host: 'h', pid: 1, lastSeenAt: '2026-11-21T11:59:59.900Z' },
        frees: { at: LATER },
        nodes: [{ nodeId: 'a', status: 'running', attempt: 1, since: BEFORE }],
      },
    ],
    [
      'for an execution whose nodes wait because of max_concurrency',
      facts({ lease: HELD, progress: RUN }, { after: [STARTED, RUNNING] }),
      {
        cause: 'max_concurrency',
        details: { node_ids: ['a'], max_concurrency: 1 },
        nodes: [{ nodeId: 'a' }, { nodeId: 'b', status: 'ready', attempt: 1, since: null }],
      },
    ],
    [
      'for an execution that waits for its next attempt',
      facts(
        { progress: ASLEEP },
        {
          after: [
            STARTED,
            RUNNING,
            event('workflow.node.retrying', 'a', {
              status: 'retrying',
              error: { code: 'boom', message: 'Boom.' },
              retry_at: LATER,
            }),
          ],
        },
      ),
      {
        cause: 'retry_backoff',
        since: BEFORE,
        frees: { at: LATER },
        details: { node_id: 'a', error: { code: 'boom', message: 'Boom.' } },
      },
    ],
    [
      'for an execution in memory that waits until a given time',
      facts(
        { lease: HELD, progress: RUN },
        { after: [STARTED, RUNNING, waiting('a', { waiting_for: 'timer', wake_at: LATER })] },
      ),
      { cause: 'timer', frees: { at: LATER }, holder: { type: 'process', id: 'p1' } },
    ],
    [
      'for an execution that waits for a signal or a time',
      facts(
        { progress: ASLEEP },
        {
          after: [
            STARTED,
            waiting('a', { waiting_for: 'signal', signal: 'paid' }),
            waiting('b', { waiting_for: 'timer', wake_at: LATER }),
          ],
        },
      ),
      { cause: 'timer', nodes: [{ waitingFor: 'signal', details: { signal: 'paid' } }, { wakeAt: LATER }] },
    ],
    [
      'for an execution that waits for a signal',
      facts(
        { progress: ASLEEP },
        { after: [STARTED, waiting('a', { waiting_for: 'signal', signal: 'paid' })] },
      ),
      {
        cause: 'signal',
        message: 'The node "a" waits for a signal "paid".',
        frees: { at: null },
        details: { signal: 'paid' },
      },
    ],
    [
      'for an execution that waits for an approval',
      facts(
        { progress: ASLEEP },
        {
          after: [
            STARTED,
            waiting('a', { waiting_for: 'signal', signal: 'ok', title: 'Pay?', approve_url: 'secret' }),
          ],
        },
      ),
      { cause: 'approval', details: { title: 'Pay?', signal: 'ok' } },
    ],
    [
      'for an execution that waits for its child',
      facts(
        { progress: ASLEEP },
        { after: [STARTED, waiting('a', { waiting_for: 'child', child_execution_id: 'k' })] },
      ),
      { cause: 'child', holder: { type: 'execution', id: 'k' } },
    ],
    [
      'for a suspended execution that is due',
      facts({ progress: { ...ASLEEP, runnableAt: BEFORE } }, { processes: [BUSY] }),
      { cause: 'no_free_slot', since: BEFORE },
    ],
  ])('`explanation` names the cause %s', (_, given, expected) =>
    expect(explanation(given)).toMatchObject(expected),
  );
});
