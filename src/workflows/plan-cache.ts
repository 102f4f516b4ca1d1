import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { compilePlan, type Plan, type WorkflowDefinition } from '../engine/index.js';
import { compileInputSchema, type InputSchema, NodeTypeRegistry } from '../nodes/index.js';
import { ConflictError } from '../errors/index.js';
import { WorkflowsRepository } from './workflows.repository.js';

export interface CompiledWorkflow {
  readonly plan: Plan;
  /** Validator for the input of executions. Null if the workflow accepts any input. */
  readonly inputSchema: InputSchema | null;
  /** False if no expression of the workflow can read `workflow.name`. */
  readonly mayReadName: boolean;
}

/**
 * Thrown if this process cannot compile a stored workflow version, for example because the plug-in of a node type is
 * missing.
 */
export class PlanUnavailableError extends ConflictError {
  constructor(reason: string) {
    super('workflow_unavailable', `This version of the workflow cannot run in this process: ${reason}`, {
      reason,
    });
  }
}

/** Maximum number of compiled workflow versions in the cache. Versions are immutable, so entries never become stale. */
const CAPACITY = 1_000;

@Injectable()
export class PlanCache {
  private readonly compiled = new LRUCache<string, CompiledWorkflow>({ max: CAPACITY });

  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly registry: NodeTypeRegistry,
  ) {}

  /** @throws PlanUnavailableError if the version does not exist or this process cannot compile it. */
  async of(workflowId: string, version: number): Promise<CompiledWorkflow> {
    const key = `${workflowId}:${version}`;
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const stored = await this.workflows.version(workflowId, version);
    if (stored === undefined)
      throw new PlanUnavailableError(`The workflow ${workflowId} has no version ${version}.`);
    const compiled = this.compile(stored.definition);
    this.compiled.set(key, compiled);
    return compiled;
  }

  /** Returns the definition of a workflow version, even if this process cannot compile the version. */
  async definition(workflowId: string, version: number): Promise<WorkflowDefinition | undefined> {
    return (await this.workflows.version(workflowId, version))?.definition;
  }

  /**
   * Returns the current name of a workflow. The name is not part of a version and can change during an execution.
   */
  async nameOf(workflowId: string): Promise<string> {
    return (await this.workflows.nameOf(workflowId)) ?? '';
  }

  private compile(definition: WorkflowDefinition): CompiledWorkflow {
    const { plan, faults } = compilePlan(definition, this.registry);
    if (plan === null)
      throw new PlanUnavailableError(faults.map(({ path, message }) => `${path}: ${message}`).join(' '));
    const mayReadName = JSON.stringify(definition).includes('workflow');
    return { plan, inputSchema: inputSchemaOf(definition), mayReadName };
  }
}

function inputSchemaOf(definition: WorkflowDefinition): InputSchema | null {
  if (definition.input_schema === undefined) return null;
  const compiled = compileInputSchema(definition.input_schema);
  if ('faults' in compiled)
    throw new PlanUnavailableError(compiled.faults.map(({ message }) => message).join(' '));
  return compiled;
}
