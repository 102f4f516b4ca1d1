import { assertNever } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { isoTime } from '../../platform/index.js';
import { endsAtOf, HANDED_OVER, HOLDER_LOST } from '../../execution-store/index.js';
import { type ExplainedNode, nodesOf } from './explained-node.js';
import { quarantined } from './explained-quarantine.js';
import { asleep } from './explained-wait.js';
import {
  type Explanation,
  type ExplanationFacts,
  lastEventAt,
  type ProcessFact,
  explanationOf,
} from './explanation-facts.js';

/**
 * Milliseconds without a heartbeat after which an explanation treats a process as crashed. Equal to two heartbeat
 * intervals.
 */
const SILENT_AFTER_MS = 10_000;

/** Explains an execution. If several causes apply, the explanation names the cause that must be resolved first. */
export function explanation(facts: ExplanationFacts): Explanation {
  const { execution } = facts;
  const { status } = execution.progress;
  if (facts.tree.endedAncestor !== null) return ancestorEnded(facts, facts.tree.endedAncestor);
  if (isWorkflowUnavailable(facts)) return unavailable(facts);
  switch (status) {
    case 'paused':
      return paused(facts);
    case 'queued':
      return execution.admission === 'parked' ? awaitingAdmission(facts) : claimedOrClaimable(facts);
    case 'running':
      return claimedOrClaimable(facts);
    case 'waiting':
      return execution.lease.owner !== null || isDue(facts)
        ? claimedOrClaimable(facts)
        : (asleep(facts) ?? unclaimed(facts));
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'timed_out':
      return ended(facts);
    default:
      return assertNever(status);
  }
}

/**
 * Returns true if the execution waits because its workflow does not compile in this process. A paused or parked
 * execution has another cause.
 */
function isWorkflowUnavailable({
  execution: { progress, lease, admission },
  unavailable: reason,
}: ExplanationFacts): boolean {
  const { status } = progress;
  const isRunnable = status === 'queued' || status === 'running' || status === 'waiting';
  return reason !== null && isRunnable && lease.owner === null && admission !== 'parked';
}

function unavailable(facts: ExplanationFacts): Explanation {
  return explanationOf(facts, {
    cause: 'workflow_unavailable',
    message: facts.unavailable ?? '',
    since: lastEventAt(facts),
    frees: {
      how: 'The installation of the missing plug-in or node type. A process tries again every 30 seconds.',
      at: facts.execution.progress.runnableAt,
    },
  });
}

function ended(facts: ExplanationFacts): Explanation {
  const { progress, createdAt } = facts.execution;
  const { descendants } = facts.tree;
  const below =
    descendants === null
      ? ''
      : ` ${descendants.unfinished} of its ${descendants.total} descendants have not ended; they are being cancelled in the background.`;
  return explanationOf(facts, {
    cause: 'ended',
    message: `The execution has ended with status ${progress.status}.${below}`,
    since: progress.finishedAt ?? createdAt,
    details: {
      ...(progress.statusReason === null ? {} : { reason: progress.statusReason }),
      ...(descendants === null ? {} : { descendants: { ...descendants } }),
    },
    nodes: [],
  });
}

function ancestorEnded(facts: ExplanationFacts, ancestorId: string): Explanation {
  return explanationOf(facts, {
    cause: 'ancestor_ended',
    message:
      'An ancestor has ended, so this execution starts no more nodes and is cancelled in the background.',
    since: lastEventAt(facts),
    holder: { type: 'execution', id: ancestorId },
    frees: { how: 'The cancellation of this execution in the background.', at: null },
  });
}

function paused(facts: ExplanationFacts): Explanation {
  const event = facts.events.findLast(({ type }) => type === 'workflow.paused');
  const { status: _, ...details } = (event?.data ?? {}) as JsonObject;
  const { reason = null } = details;
  return explanationOf(facts, {
    cause: 'paused',
    message: typeof reason === 'string' ? `The execution was paused: ${reason}` : 'The execution was paused.',
    since: event === undefined ? facts.execution.createdAt : isoTime(event.at),
    frees: { how: 'A request that resumes the execution.', at: null },
    details,
  });
}

/**
 * Explains an execution that waits for admission. An execution first needs its turn in the session, and then a slot of
 * the workflow.
 */
function awaitingAdmission(facts: ExplanationFacts): Explanation {
  const { execution, place, now } = facts;
  const since = execution.createdAt;
  if (place !== null && Date.parse(place.dueAt) > now) return scheduled(facts, place.dueAt);
  const [next] = place?.before ?? [];
  if (next !== undefined)
    return explanationOf(facts, {
      cause: 'serial_session',
      message: 'The session runs its executions one at a time, and earlier executions have not ended.',
      since,
      holder: { type: 'execution', id: next },
      frees: { how: 'The end of the earlier executions of the session.', at: null },
      details: { session_id: execution.sessionId, behind: place?.before ?? [] },
    });
  const { cap = null, taken = 0, slotHolders = [] } = place ?? {};
  const [first] = slotHolders;
  if (cap === null || taken < cap) return aboutToRun(facts, since);
  return explanationOf(facts, {
    cause: 'max_running',
    message: `${taken} executions of the workflow have not ended, and the workflow allows ${cap} at the same time (max_running).`,
    since,
    holder: first === undefined ? null : { type: 'execution', id: first },
    frees: { how: 'The end of one of these executions, or a higher max_running.', at: null },
    details: { max_running: cap, holders: slotHolders },
  });
}

function scheduled(facts: ExplanationFacts, at: string): Explanation {
  return explanationOf(facts, {
    cause: 'scheduled',
    message: `The execution is scheduled for ${at}.`,
    since: facts.execution.createdAt,
    frees: { how: 'The scheduled time.', at },
  });
}

function isDue({ execution: { progress }, now }: ExplanationFacts): boolean {
  return progress.runnableAt !== null && Date.parse(progress.runnableAt) <= now;
}

/** Explains an execution that a process has claimed, or that waits for a process to claim it. */
function claimedOrClaimable(facts: ExplanationFacts): Explanation {
  const { execution, processes, now } = facts;
  const { owner } = execution.lease;
  if (owner === null) return unclaimed(facts);
  const process = processes.find(({ id }) => id === owner);
  if (process === undefined || process.silentMs > SILENT_AFTER_MS)
    return explanationOf(facts, {
      cause: 'holder_lost',
      message: 'The process that runs the execution has stopped sending heartbeats.',
      since: process === undefined ? lastEventAt(facts) : isoTime(now - process.silentMs),
      holder: process === undefined ? null : holderOf(process, now),
      frees: {
        how: 'Another process takes over the execution after 20 seconds without a heartbeat.',
        at: null,
      },
    });
  const holder = holderOf(process, now);
  const waits = quarantined(facts);
  if (waits !== null) return { ...waits, holder };
  const nodes = nodesOf(facts);
  const running = nodes.filter(({ status }) => status === 'running');
  if (running.length > 0) return { ...runningNodes(facts, running, nodes), holder };
  const waiting = asleep(facts);
  if (waiting !== null) return { ...waiting, holder: waiting.holder ?? holder };
  return explanationOf(facts, {
    cause: 'deciding',
    message: 'A process has just claimed the execution.',
    since: lastEventAt(facts),
    holder,
  });
}

function runningNodes(
  facts: ExplanationFacts,
  running: readonly ExplainedNode[],
  nodes: readonly ExplainedNode[],
): Explanation {
  const { max_concurrency } = facts.plan.config;
  const ids = running.map(({ nodeId }) => nodeId);
  const since = running.map((node) => node.since ?? lastEventAt(facts)).sort()[0] ?? lastEventAt(facts);
  const isFull = running.length >= max_concurrency && nodes.some(({ status }) => status === 'ready');
  return explanationOf(facts, {
    cause: isFull ? 'max_concurrency' : 'node_running',
    message: isFull
      ? `${running.length} nodes are running, the maximum of max_concurrency (${max_concurrency}). Other nodes are ready.`
      : `Running nodes: ${ids.join(', ')}.`,
    since,
    frees: {
      how: isFull ? 'The end of one of the running nodes.' : 'The end of the running nodes.',
      at: endsAtOf(facts.execution.progress),
    },
    details: { node_ids: ids, ...(isFull ? { max_concurrency } : {}) },
    nodes,
  });
}

function unclaimed(facts: ExplanationFacts): Explanation {
  const { execution, processes, capacity, now } = facts;
  const { runnableAt, statusReason, status } = execution.progress;
  const at = runnableAt ?? lastEventAt(facts);
  if (Date.parse(at) > now) {
    if (statusReason !== 'service_fault') return scheduled(facts, at);
    return explanationOf(facts, {
      cause: 'service_fault',
      message: 'The service had an internal error and tries this execution again.',
      since: lastEventAt(facts),
      frees: { how: 'The next try of the service.', at },
    });
  }
  const alive = processes.filter(({ role, silentMs }) => role !== 'api' && silentMs <= SILENT_AFTER_MS);
  if (alive.length === 0)
    return explanationOf(facts, {
      cause: 'no_live_process',
      message: 'No process that runs executions is alive.',
      since: at,
      frees: { how: 'Start a process with ROLE=worker or ROLE=all.', at: null },
    });
  if (alive.every(({ held }) => held >= capacity))
    return explanationOf(facts, {
      cause: 'no_free_slot',
      message: `Every process already runs ${capacity} executions, which is the maximum (RUN_CONCURRENCY).`,
      since: at,
      frees: {
        how: 'The end of another execution, a higher RUN_CONCURRENCY, or another process.',
        at: null,
      },
      details: { run_concurrency: capacity, processes: alive.map(({ id, held }) => ({ id, held })) },
    });
  // This process knows only its own memory use. Lack of memory is therefore the cause only if no other process could
  // claim the execution.
  if (facts.isMemoryFull && alive.length === 1)
    return explanationOf(facts, {
      cause: 'no_free_memory',
      message:
        'The running executions hold the maximum amount of memory (PROCESS_MAX_BYTES), so the process starts no further executions.',
      since: at,
      frees: {
        how: 'The end of an execution with large inputs or outputs, a higher PROCESS_MAX_BYTES, or another process.',
        at: null,
      },
      details: { processes: alive.map(({ id, held }) => ({ id, held })) },
    });
  if (statusReason === HANDED_OVER)
    return explanationOf(facts, {
      cause: 'handed_over',
      message: 'The process that ran the execution was shut down. Another process continues the execution.',
      since: at,
      frees: { how: 'A process that has a free slot.', at: null },
    });
  if (statusReason === HOLDER_LOST || status === 'running')
    return explanationOf(facts, {
      cause: 'holder_lost',
      message: 'The process that ran the execution crashed. Another process continues the execution.',
      since: at,
      frees: { how: 'A process that has a free slot.', at: null },
    });
  return aboutToRun(facts, at);
}

function aboutToRun(facts: ExplanationFacts, since: string): Explanation {
  return explanationOf(facts, {
    cause: 'about_to_run',
    message: 'Nothing blocks the execution. A process will claim it soon.',
    since,
    frees: { how: 'The next poll of a process with a free slot.', at: null },
  });
}

function holderOf(process: ProcessFact, now: number): Explanation['holder'] {
  const { id, host, pid, silentMs } = process;
  return { type: 'process', id, host, pid, lastSeenAt: isoTime(now - silentMs) };
}
