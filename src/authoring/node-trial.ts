import type { NodeDefinition, Plan, PlannedNode } from '../engine/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { LongValue } from '../long-values/index.js';
import type { RunnerOutcome } from '../execution-runner/index.js';
import type { NodeError } from '../execution-events/index.js';

export interface TrialResult {
  /** Outcome of the test. `waiting` means that in an execution, the node would wait for a time or a signal. */
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly output: Json;
  readonly error: NodeError | null;
  readonly logs: readonly string[];
  readonly waitingFor: { readonly until: number | null; readonly signal: string | null } | null;
}

const EMPTY_RESULT = { output: null, error: null, logs: [], waitingFor: null } as const;

/**
 * Finds a node of a compiled workflow by id, including nodes inside loops. Returns undefined if no node has
 * this id.
 */
export function plannedNode(plan: Plan, id: string): PlannedNode | undefined {
  return plan.nodes.get(id) ?? plan.loops.flatMap(({ body }) => body.order).find((node) => node.id === id);
}

/** Copies node definitions, and replaces the parameters of one node. The node may be inside a loop. */
export function withParameters(
  nodes: readonly NodeDefinition[],
  id: string,
  parameters: JsonObject,
): readonly NodeDefinition[] {
  return nodes.map((node) => {
    if (node.id === id) return { ...node, with: parameters };
    const body = node.with?.['nodes'];
    if (!Array.isArray(body)) return node;
    const changed = withParameters(body, id, parameters);
    return { ...node, with: { ...node.with, nodes: changed as unknown as Json } };
  });
}

export function failedTrial(error: NodeError): TrialResult {
  return { ...EMPTY_RESULT, status: 'failed', error };
}

export function trialResult(outcome: RunnerOutcome): TrialResult {
  switch (outcome.kind) {
    case 'output':
      return {
        ...EMPTY_RESULT,
        status: 'completed',
        output: plainValue(outcome.output),
        logs: outcome.logs ?? [],
      };
    case 'failure':
      return failedTrial(outcome.error);
    case 'suspend':
      return {
        ...EMPTY_RESULT,
        status: 'waiting',
        waitingFor: { until: outcome.wait.until, signal: outcome.wait.signal ?? null },
      };
    case 'child':
    case 'interrupted':
      return failedTrial({
        code: 'test_interrupted',
        message: 'The test was stopped because the service is shutting down. Run it again.',
      });
  }
}

/**
 * Returns the JSON value of a node's output. Even a long output is still in memory, because a node test stores nothing.
 */
function plainValue(value: Json | LongValue): Json {
  return value instanceof LongValue ? (JSON.parse(value.text ?? 'null') as Json) : value;
}
