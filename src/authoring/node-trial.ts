import type { NodeDefinition, Plan, PlannedNode } from '../engine/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { LongValue } from '../long-values/index.js';
import type { RunnerOutcome } from '../execution-runner/index.js';
import type { NodeError } from '../execution-events/index.js';

export interface TrialResult {
  /** `waiting`: an execution would wait for a time or a signal. */
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly output: Json;
  readonly error: NodeError | null;
  readonly logs: readonly string[];
  readonly waitingFor: { readonly until: number | null; readonly signal: string | null } | null;
}

const NOTHING = { output: null, error: null, logs: [], waitingFor: null } as const;

/** Searches loops too; undefined if the plan has no such node. */
export function plannedNode(plan: Plan, id: string): PlannedNode | undefined {
  return plan.nodes.get(id) ?? plan.loops.flatMap(({ body }) => body.order).find((node) => node.id === id);
}

/** Also searches loops. */
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
  return { ...NOTHING, status: 'failed', error };
}

export function trialResult(outcome: RunnerOutcome): TrialResult {
  switch (outcome.kind) {
    case 'output':
      return {
        ...NOTHING,
        status: 'completed',
        output: plainValue(outcome.output),
        logs: outcome.logs ?? [],
      };
    case 'failure':
      return failedTrial(outcome.error);
    case 'suspend':
      return {
        ...NOTHING,
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

/** Outputs of tests are in memory, because nothing is stored. */
function plainValue(value: Json | LongValue): Json {
  return value instanceof LongValue ? (JSON.parse(value.text ?? 'null') as Json) : value;
}
