import { Injectable } from '@nestjs/common';
import { type Principal, requireScope } from '../access/index.js';
import { compilePlan, type Plan, type PlannedNode } from '../engine/index.js';
import { NodeRunner, RunMemory } from '../execution-runner/index.js';
import { ValidationError } from '../errors/index.js';
import { checkSize, ExpressionError, type JsonObject } from '../expressions/index.js';
import { NodeFailure } from '../node-contract/index.js';
import { NodeTypeRegistry } from '../nodes/index.js';
import { PlanCache, type Workflow, WorkflowsService } from '../workflows/index.js';
import { trialScope } from './expression-evaluation.js';
import { failedTrial, plannedNode, type TrialResult, trialResult, withParameters } from './node-trial.js';
import { unrecordedExecution } from './unrecorded-execution.js';
import { NodeNotFoundError, NodeNotTestableError, TooManyTrialsError } from './node-trials.errors.js';

/** Maximum duration of a node test, in milliseconds. A shorter timeout of the node takes precedence. */
const LONGEST_MS = 30_000;
const AT_ONCE = 4;

export interface TrialRequest {
  /** Parameters that replace the saved parameters of the node. Null to test the saved parameters. */
  readonly parameters: JsonObject | null;
  readonly scope: JsonObject;
}

@Injectable()
export class NodeTrials {
  private readonly runner: NodeRunner;
  private underWay = 0;

  constructor(
    private readonly workflows: WorkflowsService,
    private readonly plans: PlanCache,
    private readonly registry: NodeTypeRegistry,
    memory: RunMemory,
  ) {
    // In an execution, a node confirms its lease before an effect such as an HTTP request. A node test has no lease, so
    // its effects start immediately.
    const effects = { isSure: () => true, confirmed: () => Promise.resolve() };
    const refused = () =>
      Promise.reject(
        new NodeFailure(
          'node_not_testable',
          'This node cannot be tested, because it starts another execution. Start the workflow instead.',
        ),
      );
    this.runner = new NodeRunner(
      registry,
      { child: refused, approvalLinks: () => Promise.resolve({ approve_url: '', reject_url: '' }) },
      effects,
      memory,
    );
  }

  /**
   * @param signal aborted when the caller disconnects
   * @throws NodeNotFoundError; NodeNotTestableError; TooManyTrialsError
   * @throws ValidationError that lists all errors in the given parameters
   */
  async run(
    principal: Principal,
    workflowId: string,
    nodeId: string,
    { parameters, scope }: TrialRequest,
    signal: AbortSignal,
  ): Promise<TrialResult> {
    const workflow = await this.workflows.read(principal, workflowId);
    // Testing with other parameters is like testing an edited workflow, so it requires the scope for editing workflows.
    if (parameters !== null) requireScope(principal, 'workflows:write');
    const node = plannedNode(await this.planOf(workflow, nodeId, parameters), nodeId);
    if (node === undefined) throw new NodeNotFoundError(nodeId);
    const { iterates, startsChildren } = node.type.capabilities;
    if (iterates === true)
      throw new NodeNotTestableError('A loop cannot be tested as a whole. Test the nodes inside it.');
    if (startsChildren === true)
      throw new NodeNotTestableError(
        'A node that starts an execution cannot be tested. Start the workflow instead.',
      );
    const input = inputOf(node, scope);
    if ('code' in input) return failedTrial({ code: input.code, message: input.message });
    if (this.underWay >= AT_ONCE) throw new TooManyTrialsError(AT_ONCE);
    this.underWay += 1;
    try {
      const timeoutMs = Math.min(node.timeoutMs ?? LONGEST_MS, LONGEST_MS);
      const order = {
        node: { ...node, timeoutMs },
        attempt: 1,
        iteration: null,
        input: input.value,
        resumption: null,
      };
      return trialResult(
        await this.runner.run(unrecordedExecution(workflow), order, signal, () => undefined),
      );
    } finally {
      this.underWay -= 1;
    }
  }

  private async planOf(workflow: Workflow, nodeId: string, parameters: JsonObject | null): Promise<Plan> {
    if (parameters === null) return (await this.plans.of(workflow.id, workflow.version)).plan;
    const definition = await this.plans.definition(workflow.id, workflow.version);
    if (definition === undefined) throw new NodeNotFoundError(nodeId);
    const changed = withParameters(definition.nodes, nodeId, parameters);
    const { plan, faults } = compilePlan({ ...definition, nodes: changed }, this.registry);
    if (plan !== null) return plan;
    const [first, ...others] = faults.map(({ path, code, message }) => ({ path, code, message }));
    if (first === undefined) throw new NodeNotFoundError(nodeId);
    throw new ValidationError([first, ...others]);
  }
}

function inputOf(node: PlannedNode, scope: JsonObject): { readonly value: JsonObject } | ExpressionError {
  try {
    const value = node.with.render(trialScope(scope)) as JsonObject;
    checkSize(value);
    return { value };
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}
