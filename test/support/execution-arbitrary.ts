import fc from 'fast-check';
import type { ChildEnd } from '../../src/execution-events/index.js';
import type { NodeDefinition, Plan, WorkflowConfig } from '../../src/engine/index.js';
import type { Json, JsonObject } from '../../src/expressions/index.js';
import { planOf } from './engine-plans.js';
import type { AttemptOf, Crash, Request, SentSignal, SimulatedAttempt } from './simulated-run.js';

/** A randomly generated workflow, with a simulated result for each attempt of its nodes. */
export interface RandomExecution {
  /** The nodes of the workflow in any order, so a node can precede the nodes it depends on. */
  readonly nodes: readonly NodeDefinition[];
  readonly config: Partial<WorkflowConfig>;
  readonly output: Json | undefined;
  readonly plan: Plan;
  readonly input: Json;
  readonly attemptOf: AttemptOf;
  readonly childEndOf: (nodeId: string, attempt: number) => Omit<ChildEnd, 'id'>;
  /** A signal for each wait that can occur, and additional signals for which no node waits. */
  readonly signals: readonly SentSignal[];
  readonly scheduledAfterMs: number | null;
}

/**
 * What an attempt does. `spurned` waits for a signal and then fails. `deadline` waits for a signal that never arrives,
 * until the wait times out.
 */
type Script = 'output' | 'failure' | 'refusal' | 'sleep' | 'signal' | 'spurned' | 'deadline' | 'child';

/** A random loop, whose body runs once for each item. */
interface RandomLoop {
  readonly items: number;
  readonly atOnce: number;
  readonly onItemError: 'fail' | 'continue';
  readonly body: readonly PlainNode[];
  readonly output: number;
}

interface PlainNode {
  readonly type: 'pure' | 'effect' | 'sleeper';
  readonly needs: readonly { readonly node: number; readonly by: 'needs' | 'with' | 'if' }[];
  readonly shape: number;
  readonly constantIf: 'true' | 'false' | '"neither"' | null;
  readonly onError: 'fail' | 'continue';
  readonly maxAttempts: number;
  readonly retryDelayMs: number;
  /** What each attempt of the node does. The last entry applies to all later attempts. */
  readonly script: readonly Script[];
  readonly takesMs: number;
  readonly sleepMs: number;
  readonly reportsProgress: boolean;
}

interface RandomNode extends PlainNode {
  readonly loop: RandomLoop | null;
}

const MAX_NODES = 12;

const PLAIN = {
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
      { weight: 2, arbitrary: fc.constantFrom<Script>('signal', 'spurned') },
      { weight: 1, arbitrary: fc.constant<Script>('deadline') },
      { weight: 2, arbitrary: fc.constant<Script>('child') },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  takesMs: fc.constantFrom(0, 1, 50, 3_000),
  sleepMs: fc.constantFrom(-10, 0, 100, 30_000),
  reportsProgress: fc.boolean(),
} as const satisfies { readonly [K in keyof PlainNode]: fc.Arbitrary<PlainNode[K]> };

const LOOP: fc.Arbitrary<RandomLoop> = fc.record({
  items: fc.nat({ max: 4 }),
  atOnce: fc.integer({ min: 1, max: 3 }),
  onItemError: fc.constantFrom('fail', 'continue', 'continue'),
  body: fc.array(fc.record(PLAIN), { minLength: 1, maxLength: 3 }),
  output: fc.nat({ max: 2 }),
});

const NODE: fc.Arbitrary<RandomNode> = fc.record({
  ...PLAIN,
  loop: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: LOOP }),
});

/** Generates random executions whose timeout is long enough that it never ends them. */
export const EXECUTION: fc.Arbitrary<RandomExecution> = fc
  .record({
    nodes: fc.array(NODE, { maxLength: MAX_NODES, size: 'max' }),
    shuffle: fc.array(fc.nat(), { minLength: MAX_NODES, maxLength: MAX_NODES }),
    maxConcurrency: fc.integer({ min: 1, max: 4 }),
    output: fc.nat({ max: 3 }),
    input: fc.record({ amount: fc.nat({ max: 100 }) }),
    sentAfter: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }),
    scheduledAfterMs: fc.constantFrom(null, null, 0, 20_000),
  })
  .map(({ nodes, shuffle, maxConcurrency, output, input, sentAfter, scheduledAfterMs }) => {
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
      childEndOf: (nodeId: string, attempt: number) => childEnd(nodes[Number(nodeId.slice(1))], attempt),
      signals: signalsFor(nodes, sentAfter),
      scheduledAfterMs,
      [fc.toStringMethod]: () => JSON.stringify({ document, config, template, input, nodes }),
    };
  });

/** Generates up to six crashes at random events. Several crashes can happen after the same event. */
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

/**
 * Returns a copy of a random execution with a changed configuration.
 * @param waitsForEver true makes each timer wait for a signal that never arrives
 */
export function configured(
  execution: RandomExecution,
  changes: Partial<WorkflowConfig>,
  waitsForEver: boolean,
): RandomExecution {
  const config = { ...execution.config, ...changes };
  return {
    ...execution,
    config,
    plan: planOf(execution.nodes, config, execution.output),
    attemptOf: (nodeId, attempt, resumption, input) => {
      const simulated = execution.attemptOf(nodeId, attempt, resumption, input);
      if (!waitsForEver || simulated.outcome.kind !== 'suspend') return simulated;
      return {
        ...simulated,
        outcome: { kind: 'suspend', wait: { for: 'signal', until: null, signal: 'go' } },
      };
    },
  };
}

function definitionOf(node: RandomNode, index: number): NodeDefinition {
  const definition = plainDefinition(node, index, idOf);
  if (node.loop === null) return definition;
  const { retry: _, ...rest } = definition;
  return { ...rest, type: 'loop', with: loopOf(node.loop, index, rest) };
}

/** Turns a node into a loop. Each item contains the original parameters of the node. */
function loopOf(
  loop: RandomLoop,
  index: number,
  { with: given = {}, needs = [] }: NodeDefinition,
): JsonObject {
  const inner = (place: number): string => innerId(index, place);
  // The items of a loop must not contain secrets, because the journal records the items.
  const withoutSecrets = JSON.parse(
    JSON.stringify(given).replaceAll('{{ secrets.token }}', 'nothing'),
  ) as JsonObject;
  const nodes = loop.body.map((node, place): NodeDefinition => {
    const definition = plainDefinition(node, place, inner);
    const outer = needs.map((id) => [`of_${id}`, `{{ nodes.${id}.status }}`] as const);
    return {
      ...definition,
      with: { ...definition.with, ...Object.fromEntries(outer), i: '{{ index }}', item: '{{ item }}' },
      // Only the first node of the loop body can make an item fail. If several nodes could, the error would depend on
      // timing.
      on_error: place === 0 ? node.onError : 'continue',
    };
  });
  const last = inner(loop.body.length - 1);
  const output = [
    {},
    { output: { at: '{{ index }}', first: `{{ nodes.${inner(0)}.output }}` } },
    { output: `{{ nodes.${last}.output.v }}` },
  ][loop.output];
  return {
    items: Array.from({ length: loop.items }, (__, k) => ({ k, ...withoutSecrets })),
    nodes: nodes as unknown as Json,
    ...output,
    max_concurrency: loop.atOnce,
    on_error: loop.onItemError,
  };
}

function plainDefinition(node: PlainNode, index: number, nameOf: (index: number) => string): NodeDefinition {
  const needs = node.needs.filter((need) => need.node < index);
  const named = (by: PlainNode['needs'][number]['by']): readonly string[] =>
    needs.filter((need) => need.by === by).map((need) => nameOf(need.node));
  const conditions = named('if').map((id) => conditionOn(id, node.shape));
  if (node.constantIf !== null) conditions.push(node.constantIf);
  return {
    id: nameOf(index),
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

/** Returns the id of a node inside a loop. */
function innerId(loop: number, place: number): string {
  return `b${loop}_${place}`;
}

function idOf(index: number): string {
  return `n${index}`;
}

/**
 * Returns a condition on the result of a node. Some conditions are chosen to cause an error if that node was skipped or
 * failed.
 */
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

/**
 * Returns a function that simulates attempts. An equal call returns an equal result, so a repeated attempt ends the
 * same way.
 */
function attemptsOf(nodes: readonly RandomNode[]): AttemptOf {
  return (nodeId, attempt, resumption, input): SimulatedAttempt => {
    const [index = 0, place] = nodeId.slice(1).split('_').map(Number);
    const node = place === undefined ? nodes[index] : nodes[index]?.loop?.body[place];
    if (node === undefined) throw new Error(`The random workflow has no node "${nodeId}".`);
    // Attempts for items with an even index always succeed, so that the items of a loop have different outcomes.
    const isSpared = place !== undefined && Number((input as JsonObject)['i']) % 2 === 0;
    const does = isSpared ? 'output' : insideLoop(scriptOf(node, attempt), place !== undefined);
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
    const until = Date.UTC(2030, 0, 1) + index * 1_000 + node.sleepMs;
    if (resumption === null) {
      const waits = (outcome: SimulatedAttempt['outcome']): SimulatedAttempt => ({
        takesMs,
        reportsProgress,
        outcome,
      });
      if (does === 'sleep') return waits({ kind: 'suspend', wait: { for: 'timer', until } });
      if (does === 'child') return waits({ kind: 'child', executionId: '' });
      if (does === 'deadline')
        return waits({ kind: 'suspend', wait: { for: 'signal', signal: 'never', until } });
      if (does === 'signal' || does === 'spurned')
        return waits({ kind: 'suspend', wait: { for: 'signal', signal: nodeId, until: null } });
    }
    if (does === 'deadline') return fault(false);
    if (does === 'spurned') return fault(true);
    if (resumption?.kind === 'child' && resumption.status !== 'completed') return fault(true);
    const payload = resumption?.kind === 'signal' ? resumption.payload : null;
    const v = (index * 31 + attempt * 7 + JSON.stringify(input).length * 13) % 100;
    return {
      takesMs,
      reportsProgress,
      outcome: { kind: 'output', output: { v, attempt, payload }, cached: index % 3 === 0 },
    };
  };
}

function scriptOf(node: PlainNode, attempt: number): Script {
  return node.script[Math.min(attempt, node.script.length) - 1] ?? 'output';
}

function childEnd(node: RandomNode | undefined, attempt: number): Omit<ChildEnd, 'id'> {
  if (((node?.shape ?? 0) + attempt) % 3 > 0)
    return { status: 'completed', output: { attempt }, error: null };
  return {
    status: 'failed',
    output: null,
    error: { type: 'boom', message: 'The child failed.', node_id: null },
  };
}

/**
 * Returns the signals for all waits that can occur, plus one signal per node that no attempt expects. For
 * nodes with an odd index, each expected signal names its attempt, and the signals are sent in reverse order.
 * For other nodes, the expected signals name no attempt and are sent in order.
 */
function signalsFor(nodes: readonly RandomNode[], sentAfter: readonly number[]): readonly SentSignal[] {
  const when = (index: number): number => sentAfter[index % sentAfter.length] ?? 0;
  return nodes.flatMap((node, index) => {
    const nodeId = idOf(index);
    const waits = Array.from({ length: node.maxAttempts }, (_, n) => n + 1).filter((attempt) =>
      ['signal', 'spurned'].includes(scriptOf(node, attempt)),
    );
    const isAddressed = index % 2 === 1;
    const sent = (isAddressed ? waits.toReversed() : waits).map((attempt) => ({
      after: when(index),
      name: nodeId,
      payload: signalPayload(attempt),
      to: isAddressed ? { nodeId, attempt } : null,
    }));
    const astray = { after: when(index), name: nodeId, payload: 'astray', to: { nodeId, attempt: 99 } };
    return [astray, ...sent];
  });
}

/** Returns the payload of the signal for an attempt. */
export function signalPayload(attempt: number): Json {
  return { to_attempt: attempt };
}

/** Replaces a wait for a signal inside a loop by a timer, because tests send signals only to nodes outside loops. */
function insideLoop(script: Script, isInside: boolean): Script {
  return isInside && (script === 'signal' || script === 'spurned') ? 'sleep' : script;
}
