import type { ExecutionState, Plan } from '../../engine/index.js';
import type { JournalEvent } from '../../execution-events/index.js';
import type { JsonObject } from '../../expressions/index.js';
import { isoTime } from '../../platform/index.js';
import type { QueuePosition } from './queue-position.js';
import type { Execution } from '../../execution-store/index.js';
import type { CrashQuarantine } from '../../execution-runner/index.js';
import { type ExplainedNode, nodesOf } from './explained-node.js';

/** Why an execution does not move, or what it is doing. */
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
  /** `all`, `api` or `worker`; null for an older version of the service, which does not report it. */
  readonly role: string | null;
  readonly host: string;
  readonly pid: number;
  readonly silentMs: number;
  /** Number of executions whose lease the process has. */
  readonly held: number;
}

/** Facts about the ancestors and descendants of an execution. */
export interface TreeFacts {
  /** Id of the nearest ancestor that has ended; null if there is none, or if the execution itself has ended. */
  readonly endedAncestor: string | null;
  /**
   * Numbers of descendants of an ended execution; null if all of them have ended, or if the execution itself has not
   * ended.
   */
  readonly descendants: { readonly total: number; readonly unfinished: number } | null;
}

/** An execution and everything that can delay it. */
export interface ExplanationFacts {
  readonly execution: Execution;
  readonly state: ExecutionState;
  readonly events: readonly JournalEvent[];
  readonly plan: Pick<Plan, 'order' | 'config'>;
  /** A sentence that says why the workflow does not compile in this process; null if it compiles. */
  readonly unavailable: string | null;
  readonly processes: readonly ProcessFact[];
  /** Maximum number of executions that a process runs at the same time (`RUN_CONCURRENCY`). */
  readonly capacity: number;
  /** Decides which executions are in the crash quarantine. */
  readonly quarantine: Pick<CrashQuarantine, 'maxRecoveries' | 'isQuarantined'>;
  readonly tree: TreeFacts;
  /** Whether the executions that run in this process have reached its memory limit (`PROCESS_MAX_BYTES`). */
  readonly isMemoryFull: boolean;
  /** Position of the execution in the admission queue; null if it is not in the queue. */
  readonly place: QueuePosition | null;
  /** Current time, in epoch milliseconds. */
  readonly now: number;
}

export interface Explanation {
  readonly cause: ExplanationCause;
  /** Explains the cause to the user in a sentence. */
  readonly message: string;
  /** ISO 8601 time since which the cause exists. */
  readonly since: string;
  /** The execution for which this execution waits, or the process that runs it; null if there is none. */
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
    /** Tells the user in a sentence what resolves the cause. */
    readonly how: string;
    /** ISO 8601 time at which the cause ends at the latest; null if unknown. */
    readonly at: string | null;
  } | null;
  readonly details: JsonObject;
  /** Nodes that are running, waiting or ready. */
  readonly nodes: readonly ExplainedNode[];
}

/** Creates an explanation with the nodes of the execution. Fields that `what` lacks are empty. */
export function explanationOf(
  facts: ExplanationFacts,
  what: Pick<Explanation, 'cause' | 'message' | 'since'> & Partial<Explanation>,
): Explanation {
  return { holder: null, frees: null, details: {}, nodes: nodesOf(facts), ...what };
}

export function lastEventAt({ events, execution }: ExplanationFacts): string {
  const last = events.at(-1);
  return last === undefined ? execution.createdAt : isoTime(last.at);
}
