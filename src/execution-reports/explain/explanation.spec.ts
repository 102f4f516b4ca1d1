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
      'of one that has ended',
      facts({ progress: { status: 'failed', statusReason: 'boom', finishedAt: BEFORE } }),
      { cause: 'ended', since: BEFORE, details: { reason: 'boom' }, frees: null, nodes: [] },
    ],
    [
      'of one that has ended before its descendants',
      facts(
        { progress: { status: 'cancelled', finishedAt: BEFORE } },
        { tree: { endedAncestor: null, descendants: { total: 300, unfinished: 12 } } },
      ),
      {
        cause: 'ended',
        message:
          'It has ended: cancelled. 12 of its 300 descendants have not ended yet; they are cancelled in the background.',
        details: { descendants: { total: 300, unfinished: 12 } },
      },
    ],
    [
      'of one below another that has ended',
      facts({ progress: RUN, lease: HELD }, { tree: { endedAncestor: 'root', descendants: null } }),
      { cause: 'ancestor_ended', holder: { type: 'execution', id: 'root' } },
    ],
    [
      'of one that waits in the crash quarantine',
      facts({ progress: { ...RUN, statusReason: 'holder_lost' }, lease: HELD }, { after: [CRASH, CRASH] }),
      {
        cause: 'crash_quarantine',
        holder: { type: 'process', id: 'p1' },
        details: { recoveries: 2, max_recoveries: 5 },
      },
    ],
    [
      'of one that was recovered twice and runs again',
      facts({ progress: RUN, lease: HELD }, { after: [CRASH, CRASH] }),
      { cause: 'deciding' },
    ],
    [
      'of a paused one',
      facts(
        { progress: { status: 'paused', runnableAt: null } },
        { after: [event('workflow.paused', null, { status: 'paused', reason: 'Lunch.', by: 'ada' })] },
      ),
      { cause: 'paused', since: BEFORE, message: 'It was paused: Lunch.', details: { by: 'ada' } },
    ],
    [
      'of a scheduled one',
      facts({ progress: { runnableAt: LATER } }),
      { cause: 'scheduled', frees: { at: LATER } },
    ],
    [
      'of a scheduled one that will have to wait its turn',
      facts({ admission: 'parked' }, { place: { ...LINE, dueAt: LATER, before: ['x'] } }),
      { cause: 'scheduled', frees: { at: LATER } },
    ],
    [
      'of one behind its session, which counts before its workflow',
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
      'of one over max_running',
      facts({ admission: 'parked' }, { place: { ...LINE, cap: 2, taken: 2, slotHolders: ['x', 'y'] } }),
      {
        cause: 'max_running',
        holder: { type: 'execution', id: 'x' },
        details: { max_running: 2, holders: ['x', 'y'] },
      },
    ],
    [
      'of one in line with nobody in its way',
      facts({ admission: 'parked' }, { place: { ...LINE, cap: 2, taken: 1 } }),
      { cause: 'about_to_run' },
    ],
    ['of one that was let in a moment ago', facts({ admission: 'parked' }), { cause: 'about_to_run' }],
    ['where nothing is in the way', facts({}), { cause: 'about_to_run', since: BEFORE }],
    [
      'where every process is full',
      facts({}, { processes: [BUSY, { ...ALIVE, silentMs: 60_000 }] }),
      { cause: 'no_free_slot', details: { run_concurrency: 10, processes: [{ id: 'p2', held: 10 }] } },
    ],
    [
      'where no process is alive',
      facts({}, { processes: [{ ...ALIVE, silentMs: 60_000 }] }),
      { cause: 'no_live_process' },
    ],
    [
      'where those that are alive only answer clients',
      facts({}, { processes: [{ ...ALIVE, role: 'api' }] }),
      { cause: 'no_live_process' },
    ],
    [
      'where every process that runs is full',
      facts({}, { processes: [{ ...ALIVE, role: 'api' }, BUSY, { ...BUSY, id: 'p3', role: null }] }),
      { cause: 'no_free_slot', details: { processes: [{ id: 'p2' }, { id: 'p3' }] } },
    ],
    [
      'of one that was handed over',
      facts({ progress: { statusReason: 'handed_over', status: 'running' } }),
      { cause: 'handed_over' },
    ],
    [
      'of one whose holder was lost',
      facts({ progress: { statusReason: 'holder_lost' } }),
      { cause: 'holder_lost', holder: null },
    ],
    [
      'of one whose holder is silent',
      facts({ lease: HELD, progress: RUN }, { processes: [{ ...ALIVE, silentMs: 15_000 }, BUSY] }),
      { cause: 'holder_lost', since: '2026-11-21T11:59:45.000Z', holder: { type: 'process', id: 'p1' } },
    ],
    [
      'of one whose holder is no longer known',
      facts({ lease: { owner: 'gone', epoch: 1 }, progress: RUN }),
      { cause: 'holder_lost', holder: null },
    ],
    [
      'after a fault of the service',
      facts({ progress: { statusReason: 'service_fault', runnableAt: LATER } }),
      { cause: 'service_fault', frees: { at: LATER } },
    ],
    [
      'of one whose workflow does not compile here',
      facts(
        { progress: { statusReason: 'workflow_unavailable', runnableAt: LATER } },
        { unavailable: 'A type is missing.' },
      ),
      { cause: 'workflow_unavailable', message: 'A type is missing.', frees: { at: LATER } },
    ],
    [
      'of one that is paused and whose workflow does not compile here',
      facts(
        { progress: { status: 'paused', runnableAt: null } },
        { after: [event('workflow.paused', null, { status: 'paused' })], unavailable: 'A type is missing.' },
      ),
      { cause: 'paused' },
    ],
    [
      'of one that another process runs, where the workflow does compile',
      facts({ lease: HELD, progress: RUN }, { unavailable: 'A type is missing.' }),
      { cause: 'deciding' },
    ],
    [
      'of one that was just taken up',
      facts({ lease: HELD, progress: { runnableAt: null } }),
      { cause: 'deciding', holder: { type: 'process', id: 'p1' } },
    ],
    [
      'of one whose nodes run',
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
      'of one whose nodes wait for each other to leave room',
      facts({ lease: HELD, progress: RUN }, { after: [STARTED, RUNNING] }),
      {
        cause: 'max_concurrency',
        details: { node_ids: ['a'], max_concurrency: 1 },
        nodes: [{ nodeId: 'a' }, { nodeId: 'b', status: 'ready', attempt: 1, since: null }],
      },
    ],
    [
      'of one that waits for another attempt',
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
      'of one that waits for a time, held in memory',
      facts(
        { lease: HELD, progress: RUN },
        { after: [STARTED, RUNNING, waiting('a', { waiting_for: 'timer', wake_at: LATER })] },
      ),
      { cause: 'timer', frees: { at: LATER }, holder: { type: 'process', id: 'p1' } },
    ],
    [
      'of one that waits for a signal and a time: whatever comes first',
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
      'of one that waits for a signal',
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
      'of one that waits for an approval',
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
      'of one that waits for an execution of its own',
      facts(
        { progress: ASLEEP },
        { after: [STARTED, waiting('a', { waiting_for: 'child', child_execution_id: 'k' })] },
      ),
      { cause: 'child', holder: { type: 'execution', id: 'k' } },
    ],
    [
      'of a sleeper that is due',
      facts({ progress: { ...ASLEEP, runnableAt: BEFORE } }, { processes: [BUSY] }),
      { cause: 'no_free_slot', since: BEFORE },
    ],
  ])('names the cause %s', (_, given, expected) => expect(explanation(given)).toMatchObject(expected));
});
