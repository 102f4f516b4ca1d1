import type { ExecutionState, Plan } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { isoTime } from '../../platform/index.js';
import type { QueuePosition } from './queue-position.js';
import type { Execution } from '../../execution-store/index.js';
import type { CrashQuarantine } from '../../execution-runner/index.js';
import { type ExplainedNode, nodesOf } from './explained-node.js';

/** Why an execution does not move, or what it is at. */
export const EXPLANATION_CAUSES = [
  'ended',
  'paused',
  'scheduled',
  'max_running',
  'serial_session',
  'no_live_process',
  'no_free_slot',
  'no_free_memory',
  'about_to_run',
  'handed_over',
  'holder_lost',
  'service_fault',
  'workflow_unavailable',
  'ancestor_ended',
  'crash_quarantine',
  'deciding',
  'node_running',
  'max_concurrency',
  'retry_backoff',
  'timer',
  'signal',
  'child',
  'approval',
] as const;
export type ExplanationCause = (typeof EXPLANATION_CAUSES)[number];

/** A process on the database. */
export interface ProcessFact {
  readonly id: string;
  /** `all`, `api` or `worker`; null where an older version does not say. */
  readonly role: string | null;
  readonly host: string;
  readonly pid: number;
  readonly silentMs: number;
  /** Executions that it holds. */
  readonly held: number;
}

/** What an explanation tells of the executions above and below one. */
export interface TreeFacts {
  /** The nearest one above it that has ended, where it has not; else null. */
  readonly endedAncestor: string | null;
  /** Of one that has ended and has unfinished descendants; else null. */
  readonly descendants: { readonly total: number; readonly unfinished: number } | null;
}

/** What is known of an execution and of whatever may hold it up. */
export interface ExplanationFacts {
  readonly execution: Execution;
  readonly state: ExecutionState;
  readonly events: readonly JournalEvent[];
  readonly plan: Pick<Plan, 'order' | 'config'>;
  /** Why its workflow does not compile here, in a sentence; null where it does. */
  readonly unavailable: string | null;
  readonly processes: readonly ProcessFact[];
  /** Executions that a process runs at once. */
  readonly capacity: number;
  /** Which executions are quarantined. */
  readonly quarantine: Pick<CrashQuarantine, 'maxRecoveries' | 'isQuarantined'>;
  /** The executions above and below it. */
  readonly tree: TreeFacts;
  /** Whether the executions that this process runs hold as much memory as they may. */
  readonly isMemoryFull: boolean;
  /** Its place in line; null where it has none. */
  readonly place: QueuePosition | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Explanation {
  readonly cause: ExplanationCause;
  /** A sentence for people. */
  readonly message: string;
  /** ISO 8601. */
  readonly since: string;
  /** What it waits for, or who runs it. */
  readonly holder:
    | { readonly type: 'execution'; readonly id: string }
    | {
        readonly type: 'process';
        readonly id: string;
        readonly host: string;
        readonly pid: number;
        readonly lastSeenAt: string;
      }
    | null;
  readonly frees: {
    /** A sentence for people. */
    readonly how: string;
    /** ISO 8601, where it is known. */
    readonly at: string | null;
  } | null;
  readonly details: JsonObject;
  /** Nodes that run, wait, or could run. */
  readonly nodes: readonly ExplainedNode[];
}

/** An explanation, with what most have none of filled in. */
export function told(
  facts: ExplanationFacts,
  what: Pick<Explanation, 'cause' | 'message' | 'since'> & Partial<Explanation>,
): Explanation {
  return { holder: null, frees: null, details: {}, nodes: nodesOf(facts), ...what };
}

export function lastEventAt({ events, execution }: ExplanationFacts): string {
  const last = events.at(-1);
  return last === undefined ? execution.createdAt : isoTime(last.at);
}
