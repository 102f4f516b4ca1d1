import fc from 'fast-check';
import type { Json, NodeDefinition, Plan, WorkflowConfig } from '../../src/engine/index.js';
import { planOf } from './engine-plans.js';
import type { AttemptOf, Crash, Request, SimulatedAttempt } from './simulated-run.js';

/** A random workflow together with what each attempt of its nodes does. */
export interface RandomExecution {
  /** In the order of the document, which need not be that of their needs. */
  readonly nodes: readonly NodeDefinition[];
  readonly config: Partial<WorkflowConfig>;
  readonly output: Json | undefined;
  readonly plan: Plan;
  readonly input: Json;
  readonly attemptOf: AttemptOf;
}

type Script = 'output' | 'failure' | 'refusal' | 'sleep' | 'wait';

interface RandomNode {
  readonly type: 'pure' | 'effect' | 'sleeper';
  readonly needs: readonly { readonly node: number; readonly by: 'needs' | 'with' | 'if' }[];
  readonly shape: number;
  readonly constantIf: 'true' | 'false' | '"neither"' | null;
  readonly onError: 'fail' | 'continue';
  readonly maxAttempts: number;
  readonly retryDelayMs: number;
  /** What each attempt does, the last for all further ones. */
  readonly script: readonly Script[];
  readonly takesMs: number;
  readonly sleepMs: number;
  readonly reportsProgress: boolean;
}

const MAX_NODES = 12;

const NODE: fc.Arbitrary<RandomNode> = fc.record({
  type: fc.constantFrom('pure', 'effect', 'sleeper'),
  needs: fc.uniqueArray(
    fc.record({
      node: fc.nat({ max: MAX_NODES - 1 }),
      by: fc.constantFrom('needs', 'with', 'if'),
    }),
    { maxLength: 3, selector: ({ node }) => node },
  ),
  shape: fc.nat({ max: 9 }),
  constantIf: fc.oneof(
    { weight: 10, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom('true' as const, 'false' as const) },
    { weight: 1, arbitrary: fc.constant('"neither"' as const) },
  ),
  onError: fc.constantFrom('fail', 'continue', 'continue'),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  retryDelayMs: fc.constantFrom(0, 500, 20_000),
  script: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant<Script>('output') },
      { weight: 2, arbitrary: fc.constant<Script>('failure') },
      { weight: 1, arbitrary: fc.constant<Script>('refusal') },
      { weight: 2, arbitrary: fc.constant<Script>('sleep') },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  takesMs: fc.constantFrom(0, 1, 50, 3_000),
  sleepMs: fc.constantFrom(-10, 0, 100, 30_000),
  reportsProgress: fc.boolean(),
});

/** Executions that have time enough to end by themselves, whatever happens to them on the way. */
export const EXECUTION: fc.Arbitrary<RandomExecution> = fc
  .record({
    nodes: fc.array(NODE, { maxLength: MAX_NODES, size: 'max' }),
    shuffle: fc.array(fc.nat(), { minLength: MAX_NODES, maxLength: MAX_NODES }),
    maxConcurrency: fc.integer({ min: 1, max: 4 }),
    output: fc.nat({ max: 3 }),
    input: fc.record({ amount: fc.nat({ max: 100 }) }),
  })
  .map(({ nodes, shuffle, maxConcurrency, output, input }) => {
    const definitions = nodes.map(definitionOf);
    const config = { max_concurrency: maxConcurrency, timeout_seconds: 3_600 };
    const document = definitions
      .map((definition, index) => ({ definition, rank: shuffle[index] ?? 0 }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ definition }) => definition);
    const template = outputOf(nodes.length, output);
    return {
      nodes: document,
      config,
      output: template,
      plan: planOf(document, config, template),
      input,
      attemptOf: attemptsOf(nodes),
      [fc.toStringMethod]: () => JSON.stringify({ document, config, template, input, nodes }),
    };
  });

/** Crashes anywhere, several at one place included. */
export const CRASHES: fc.Arbitrary<readonly Crash[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 1, max: 40 }),
    when: fc.constantFrom('at_once', 'before_next'),
    cause: fc.constantFrom('crash', 'hand_over'),
  }),
  { minLength: 1, maxLength: 6, size: 'max' },
);

export const REQUESTS: fc.Arbitrary<readonly Request[]> = fc.array(
  fc.record({ after: fc.integer({ min: 1, max: 40 }), kind: fc.constantFrom('pause', 'pause', 'cancel') }),
  { maxLength: 3 },
);

/** The same execution, with so little time that it may run out; its sleepers may wait for ever. */
export function hurried(
  execution: RandomExecution,
  timeoutSeconds: number,
  waitsForEver: boolean,
): RandomExecution {
  const config = { ...execution.config, timeout_seconds: timeoutSeconds };
  return {
    ...execution,
    config,
    plan: planOf(execution.nodes, config, execution.output),
    attemptOf: (nodeId, attempt, resumed, input) => {
      const simulated = execution.attemptOf(nodeId, attempt, resumed, input);
      if (!waitsForEver || simulated.outcome.kind !== 'suspend') return simulated;
      return {
        ...simulated,
        outcome: { kind: 'suspend', wait: { for: 'signal', until: null, signal: 'go' } },
      };
    },
  };
}

function definitionOf(node: RandomNode, index: number): NodeDefinition {
  const needs = node.needs.filter((need) => need.node < index);
  const named = (by: RandomNode['needs'][number]['by']): readonly string[] =>
    needs.filter((need) => need.by === by).map((need) => idOf(need.node));
  const conditions = named('if').map((id) => conditionOn(id, node.shape));
  if (node.constantIf !== null) conditions.push(node.constantIf);
  return {
    id: idOf(index),
    type: node.type,
    ...(named('needs').length === 0 ? {} : { needs: named('needs') }),
    ...(conditions.length === 0 ? {} : { if: conditions.join(' && ') }),
    with: Object.fromEntries(named('with').map((id) => [id, valueFrom(id, node.shape)])),
    on_error: node.onError,
    retry: {
      max_attempts: node.maxAttempts,
      backoff: index % 2 === 0 ? 'fixed' : 'exponential',
      initial_delay_ms: node.retryDelayMs,
    },
  };
}

function idOf(index: number): string {
  return `n${index}`;
}

/** Some of these cannot be evaluated where the node was skipped or failed: that is part of the game. */
function conditionOn(id: string, shape: number): string {
  if (shape < 4) return `nodes.${id}.status == "completed"`;
  if (shape < 7) return `nodes.${id}.status != "skipped"`;
  return shape === 7 ? `nodes.${id}.output.v > 40` : `nodes.${id}.error == null`;
}

function valueFrom(id: string, shape: number): string {
  if (shape < 4) return `{{ nodes.${id}.output }}`;
  if (shape < 7) return `${id} is {{ nodes.${id}.status }} for {{ input.amount }} with {{ secrets.token }}`;
  return shape === 7
    ? `{{ nodes.${id}.output.v + 1 }}`
    : `{{ nodes.${id}.error == null ? "well" : nodes.${id}.error.code }}`;
}

function outputOf(nodeCount: number, shape: number): Json | undefined {
  if (shape === 0 || nodeCount === 0) return undefined;
  const last = idOf(nodeCount - 1);
  if (shape === 1) return { of: '{{ nodes.n0.status }}', amount: '{{ input.amount }}' };
  return shape === 2
    ? { last: `{{ nodes.${last}.output }}`, first: '{{ nodes.n0.output }}' }
    : `{{ nodes.${last}.output.v }}`;
}

/** What an attempt gives depends on the node, the attempt, whether it was asleep, and what it was handed. */
function attemptsOf(nodes: readonly RandomNode[]): AttemptOf {
  return (nodeId, attempt, isResumed, input): SimulatedAttempt => {
    const index = Number(nodeId.slice(1));
    const node = nodes[index];
    if (node === undefined) throw new Error(`There is no node "${nodeId}".`);
    const does = node.script[Math.min(attempt, node.script.length) - 1] ?? 'output';
    const { takesMs, reportsProgress } = node;
    const fault = (retryable: boolean): SimulatedAttempt => ({
      takesMs,
      reportsProgress,
      outcome: {
        kind: 'failure',
        retryable,
        error: { code: does, message: `Attempt ${attempt} of ${nodeId}.` },
      },
    });
    if (does === 'failure') return fault(true);
    if (does === 'refusal') return fault(false);
    if (does === 'sleep' && !isResumed)
      return {
        takesMs,
        reportsProgress,
        outcome: {
          kind: 'suspend',
          wait: { for: 'timer', until: Date.UTC(2030, 0, 1) + index * 1_000 + node.sleepMs },
        },
      };
    const v = (index * 31 + attempt * 7 + JSON.stringify(input).length * 13) % 100;
    return {
      takesMs,
      reportsProgress,
      outcome: { kind: 'output', output: { v, attempt }, cached: index % 3 === 0 },
    };
  };
}
