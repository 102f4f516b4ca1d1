import { isDeepStrictEqual } from 'node:util';
import type { Provider, Type } from '@nestjs/common';
import { assertNever } from '../../execution-events/index.js';
import { compilePlan, DEFAULT_CONFIG, type NodeTypeCatalog } from '../../engine/index.js';
import type {
  ChildRequest,
  NodeContext,
  NodeResult,
  NodeType,
  NodeTypeDescription,
  Wait,
} from '../../node-contract/index.js';
import type { Fault, Json, JsonObject } from '../../expressions/index.js';
import { compileParameterSchema } from '../schema/parameter-schema.js';
import { nodeContext } from './node-context.js';
import { NodeTestError } from './node-test.errors.js';
import { type NodeUnderTest, withNodeType } from './node-under-test.js';

export interface NodeTest {
  /** Parameters (`with`) of the node. Strings may contain `{{ }}` expressions. */
  readonly with?: JsonObject;
  /** Values that expressions can read, by name: `{ input: { name: 'Ada' }, nodes: { order: { output: 5 } } }`. */
  readonly scope?: {
    readonly input?: Json;
    readonly nodes?: Readonly<Record<string, JsonObject>>;
    readonly session?: JsonObject;
    readonly workflow?: JsonObject;
    readonly execution?: JsonObject;
    readonly secrets?: JsonObject;
  };
  /** Nest providers that the class of the node type injects, or mocks for these providers. */
  readonly providers?: readonly Provider[];
  /** Fields of the attempt's context. By default, the attempt is the first attempt and is never aborted. */
  readonly context?: Partial<
    Pick<NodeContext, 'attempt' | 'idempotencyKey' | 'resumption' | 'signal' | 'timeoutMs'>
  >;
}

export interface NodeTestResult {
  /** Output of the attempt. Null if the attempt was suspended or started a child. */
  readonly output: Json;
  readonly suspended: Wait | null;
  readonly child: ChildRequest | null;
  readonly logs: readonly string[];
  readonly progress: readonly { readonly fraction: number; readonly message?: string }[];
}

/**
 * Runs one attempt of a node type as the service does, and checks the parameters and the result.
 * @throws NodeTestError that lists all errors of the parameters or the result
 * @throws each error of `run`, unchanged
 */
export async function testNode(type: Type<NodeType>, test: NodeTest = {}): Promise<NodeTestResult> {
  return withNodeType(type, test.providers ?? [], (node) => runOnce(node, test));
}

/**
 * Runs one attempt of a node type that `withNodeType` created.
 * @throws NodeTestError that lists all errors of the parameters or the result
 */
export async function runOnce(node: NodeUnderTest, test: NodeTest): Promise<NodeTestResult> {
  const { description, handler, parameters } = node.registered;
  const filled = filledIn(node, test);
  refuse(parameters.check(filled));
  const progress: { readonly fraction: number; readonly message?: string }[] = [];
  const context = nodeContext(filled, {
    ...test.context,
    progress: (fraction, message) =>
      progress.push({ fraction, ...(message === undefined ? {} : { message }) }),
  });
  const result = await handler.run(context);
  const faults = [
    ...resultFaults(result, description),
    ...progress.flatMap(({ fraction }) =>
      fraction >= 0 && fraction <= 1 ? [] : [`progress: ${fraction} is not from 0 to 1.`],
    ),
  ];
  if (faults.length > 0) throw new NodeTestError(faults);
  switch (result.kind) {
    case 'suspend':
      return { ...NO_RESULT, suspended: result.wait, progress };
    case 'start_child':
      return { ...NO_RESULT, child: result.child, progress };
    case 'output':
      return { ...NO_RESULT, output: result.output, logs: result.logs ?? [], progress };
    default:
      return assertNever(result);
  }
}

const NO_RESULT = { output: null, suspended: null, child: null, logs: [] } as const;

/**
 * Name of the node type that stands in for the real types of other nodes. Each entry in `scope.nodes` becomes a node of
 * this type, so that expressions can refer to the node.
 */
const STUB_TYPE = 'given';
const TESTED = 'tested_node';

function filledIn(
  { registry, registered }: NodeUnderTest,
  { with: given = {}, scope = {} }: NodeTest,
): JsonObject {
  const catalog: NodeTypeCatalog = {
    names: () => registry.names(),
    find: (type) =>
      type === STUB_TYPE
        ? {
            description: { ...registered.description, schema: {} },
            checkDefinition: () => [],
            literalWait: () => null,
          }
        : registry.find(type),
  };
  const others = Object.keys(scope.nodes ?? {}).map((id) => ({ id, type: STUB_TYPE }));
  const tested = { id: TESTED, type: registered.description.type, with: given };
  const { plan, faults } = compilePlan({ nodes: [tested, ...others], config: DEFAULT_CONFIG }, catalog);
  if (plan === null) {
    refuse(faults.map((fault) => ({ ...fault, path: fault.path.replace(/^nodes\[0\]\./, '') })));
    return {};
  }
  const everything = {
    input: null,
    nodes: {},
    session: {},
    workflow: {},
    execution: {},
    secrets: {},
    ...scope,
  };
  return plan.nodes.get(TESTED)?.with.render(everything) as JsonObject;
}

function resultFaults(
  result: NodeResult,
  { capabilities, outputSchema }: NodeTypeDescription,
): readonly string[] {
  if (result.kind === 'suspend')
    return capabilities.suspends === true
      ? []
      : ['The node was suspended, but its capabilities do not contain "suspends".'];
  if (result.kind === 'start_child')
    return capabilities.startsChildren === true
      ? []
      : ['The node started a child, but its capabilities do not contain "startsChildren".'];
  const text = JSON.stringify(result.output) as string | undefined;
  if (text === undefined || !isDeepStrictEqual(JSON.parse(text), result.output))
    return [
      'output: The output is not JSON. JSON cannot contain undefined, NaN, dates and instances of classes.',
    ];
  return compileParameterSchema(outputSchema)
    .check(result.output as JsonObject)
    .map(({ path, message }) => `${path.replace(/^with/, 'output')}: ${message}`);
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new NodeTestError(faults.map(({ path, message }) => `${path}: ${message}`));
}
