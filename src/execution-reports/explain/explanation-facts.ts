import type { ExecutionState, Plan } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { isoTime } from '../../platform/index.js';
import type { QueuePosition } from './queue-position.js';
import type { Execution } from '../../execution-store/index.js';
import type { CrashQuarantine } from '../../execution-runner/index.js';
import { type ExplainedNode, nodesOf } from './explained-node.js';

/** Causes: why an execution does not move, or what it is doing. */
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

/** A process that uses the database. */
export interface ProcessFact {
  readonly id: string;
  /** `all`, `api` or `worker`; null if the process has an older version, which does not report it. */
  readonly role: string | null;
  readonly host: string;
  readonly pid: number;
  readonly silentMs: number;
  /** Number of executions whose lease it holds. */
  readonly held: number;
}

/** Ancestors and descendants of an execution, as far as an explanation needs them. */
export interface TreeFacts {
  /** For an unfinished execution, its nearest ended ancestor; null if it has none. */
  readonly endedAncestor: string | null;
  /** For an ended execution with unfinished descendants, their numbers; else null. */
  readonly descendants: { readonly total: number; readonly unfinished: number } | null;
}

/** An execution and everything that may delay it. */
export interface ExplanationFacts {
  readonly execution: Execution;
  readonly state: ExecutionState;
  readonly events: readonly JournalEvent[];
  readonly plan: Pick<Plan, 'order' | 'config'>;
  /** A sentence that says why its workflow does not compile in this process; null if it compiles. */
  readonly unavailable: string | null;
  readonly processes: readonly ProcessFact[];
  /** Maximum number of concurrent executions per process (`RUN_CONCURRENCY`). */
  readonly capacity: number;
  /** Decides which executions are quarantined. */
  readonly quarantine: Pick<CrashQuarantine, 'maxRecoveries' | 'isQuarantined'>;
  /** Its ancestors and descendants. */
  readonly tree: TreeFacts;
  /** Whether the active executions of this process have reached its memory limit (`PROCESS_MAX_BYTES`). */
  readonly isMemoryFull: boolean;
  /** Its position in the admission queue; null if it is not queued there. */
  readonly place: QueuePosition | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Explanation {
  readonly cause: ExplanationCause;
  /** A sentence to show to people. */
  readonly message: string;
  /** ISO 8601. */
  readonly since: string;
  /** The execution that it waits for, or the process that runs it. */
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
    /** A sentence to show to people. */
    readonly how: string;
    /** ISO 8601; null if unknown. */
    readonly at: string | null;
  } | null;
  readonly details: JsonObject;
  /** Nodes that are running, waiting or ready. */
  readonly nodes: readonly ExplainedNode[];
}

/** Builds an explanation; fields that are not given get their empty values. */
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
