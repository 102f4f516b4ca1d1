import type { Principal } from '../../src/access/index.js';
import type { NodeDefinition } from '../../src/engine/index.js';
import type { Execution } from '../../src/execution-store/index.js';
import type { CompiledWorkflow } from '../../src/workflows/plan-cache.js';
import { DEFAULT_CONFIG } from '../../src/engine/index.js';
import type { Session } from '../../src/sessions/index.js';
import type { Workflow, WorkflowVersion } from '../../src/workflows/workflow.js';
import { planOf } from './engine-plans.js';

export const CALLER: Principal = {
  userId: '01a00000-0000-7000-8000-0000000000a1',
  keyId: '01a00000-0000-7000-8000-0000000000a2',
  teamId: '01a00000-0000-7000-8000-0000000000a3',
  projectId: null,
  role: 'member',
  scopes: ['*'],
  plan: 'free',
  address: '127.0.0.1',
};

/** Returns an active workflow. By default, it has two nodes without effects. */
export function workflowWith(own: Partial<Workflow> = {}, nodes: readonly NodeDefinition[] = TWO): Workflow {
  return {
    id: '01a00000-0000-7000-8000-0000000000b1',
    projectId: '01a00000-0000-7000-8000-0000000000b2',
    name: 'Orders',
    description: '',
    status: 'active',
    version: 2,
    revision: 7,
    definition: { nodes, config: DEFAULT_CONFIG },
    tags: [],
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
    ...own,
  };
}

const TWO: readonly NodeDefinition[] = [
  { id: 'a', type: 'pure' },
  { id: 'b', type: 'pure', needs: ['a'] },
];

/** Returns a stored version of the workflow from `workflowWith`. */
export function versionOf(version: number, nodes: readonly NodeDefinition[] = TWO): WorkflowVersion {
  const { id: workflowId, createdAt } = workflowWith();
  const definition = { nodes, config: DEFAULT_CONFIG };
  return { workflowId, version, definition, createdAt, createdBy: CALLER.userId };
}

/** Returns an open session that allows several executions to run at once. */
export function sessionWith(own: Partial<Session> = {}): Session {
  const { projectId, createdAt, updatedAt } = workflowWith();
  return {
    id: '01a00000-0000-7000-8000-0000000000c1',
    projectId,
    externalId: null,
    name: 'Order 17',
    metadata: {},
    state: {},
    stateVersion: 1,
    concurrency: 'parallel',
    revision: 1,
    createdAt,
    updatedAt,
    lastActivityAt: updatedAt,
    expiresAt: null,
    closedAt: null,
    ...own,
  };
}

/** Returns the given nodes as a compiled workflow, in the form in which the plan cache stores it. */
export function compiledOf(
  nodes: readonly NodeDefinition[] = TWO,
  inputSchema: CompiledWorkflow['inputSchema'] = null,
): CompiledWorkflow {
  return { plan: planOf(nodes), inputSchema, mayReadName: false };
}

/**
 * Replaces the class with which a request waits for the end of an execution. In this fake, each wait ends immediately.
 */
export class FakeCompletion {
  /** Number of waits that requests have started. */
  begun = 0;
  stopped = 0;
  /**
   * Returns the execution that a wait ends with. If null, a wait returns the execution unchanged, like a wait that
   * timed out.
   */
  after: ((execution: Execution) => Execution) | null = null;
  readonly waitedMs: number[] = [];
  /** Whether the condition of the last wait was true when the wait ended. */
  isReached = false;

  watch(execution: Execution): {
    readonly ended: (ms: number) => Promise<Execution>;
    readonly reached: (condition: (execution: Execution) => boolean, ms: number) => Promise<Execution>;
    readonly stop: () => void;
  } {
    this.begun += 1;
    const outcome = (ms: number): Promise<Execution> => {
      this.waitedMs.push(ms);
      return Promise.resolve(this.after?.(execution) ?? execution);
    };
    return {
      ended: outcome,
      reached: async (condition, ms) => {
        const after = await outcome(ms);
        this.isReached = condition(after);
        return after;
      },
      stop: () => void (this.stopped += 1),
    };
  }
}

export function withStatus(execution: Execution, status: Execution['progress']['status']): Execution {
  return { ...execution, progress: { ...execution.progress, status } };
}
