import {
  DEFAULT_CONFIG,
  type NodeDefinition,
  type WorkflowConfig,
  type WorkflowDefinition,
} from '../engine/index.js';
import type { Json, JsonObject } from '../expressions/index.js';
import { defined } from '../platform/index.js';

export const WORKFLOW_STATUSES = ['draft', 'active', 'paused', 'archived'] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

const TRANSITIONS: Readonly<Record<WorkflowStatus, readonly WorkflowStatus[]>> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['paused'],
};

export function mayBecome(from: WorkflowStatus, to: WorkflowStatus): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

export interface Workflow {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly status: WorkflowStatus;
  /** Number of the current version. Each change of the definition creates a new version, and versions are immutable. */
  readonly version: number;
  /** Number of changes of the workflow, used as the entity tag. Every change increments the number. */
  readonly revision: number;
  readonly definition: WorkflowDefinition;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface WorkflowVersion {
  readonly workflowId: string;
  readonly version: number;
  readonly definition: WorkflowDefinition;
  readonly createdAt: string;
  readonly createdBy: string;
}

/** A validated document that creates or replaces a workflow. */
export interface WorkflowInput {
  readonly name: string;
  readonly description?: string;
  readonly status?: WorkflowStatus;
  readonly config?: Partial<WorkflowConfig>;
  readonly input_schema?: JsonObject | null;
  readonly nodes?: readonly NodeDefinition[];
  readonly output?: Json;
  readonly tags?: readonly string[];
}

/** Returns the definition that a workflow document contains, with defaults for omitted fields. */
export function definitionOf(input: WorkflowInput): WorkflowDefinition {
  return defined({
    nodes: input.nodes ?? [],
    config: { ...DEFAULT_CONFIG, ...defined(input.config ?? {}) },
    input_schema: input.input_schema ?? undefined,
    output: input.output,
  });
}

/** Adds defaults to a stored definition for fields that were introduced after it was stored. */
export function withDefaults(definition: WorkflowDefinition): WorkflowDefinition {
  return { ...definition, config: { ...DEFAULT_CONFIG, ...definition.config } };
}

/**
 * Returns the document that would create the workflow in its current state. PATCH applies its merge patch to this
 * document.
 */
export function inputOf(workflow: Workflow): WorkflowInput {
  const { name, description, status, tags, definition } = workflow;
  const { config, nodes, input_schema, output } = definition;
  return defined({ name, description, status, config, nodes, tags, input_schema, output });
}
