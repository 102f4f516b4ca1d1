import {
  DEFAULT_CONFIG,
  type NodeDefinition,
  type WorkflowConfig,
  type WorkflowDefinition,
} from '../engine/index.js';
import type { Json, JsonObject } from '../expressions/index.js';

/** What may be done with a workflow. */
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

/** A workflow as it stands now. */
export interface Workflow {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string;
  readonly status: WorkflowStatus;
  /** Grows with every change of the definition; each has its own immutable record. */
  readonly version: number;
  /** Grows with every change at all: the entity tag. */
  readonly revision: number;
  readonly definition: WorkflowDefinition;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An immutable version of a workflow's definition. */
export interface WorkflowVersion {
  readonly workflowId: string;
  readonly version: number;
  readonly definition: WorkflowDefinition;
  readonly createdAt: string;
  readonly createdBy: string;
}

/** What a client sends to make or replace a workflow, checked; the document that PATCH merges into. */
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

/** The definition in an input, defaults filled in. */
export function definitionOf(input: WorkflowInput): WorkflowDefinition {
  return {
    nodes: input.nodes ?? [],
    config: { ...DEFAULT_CONFIG, ...withoutUndefined(input.config ?? {}) },
    ...(input.input_schema === undefined || input.input_schema === null
      ? {}
      : { input_schema: input.input_schema }),
    ...(input.output === undefined ? {} : { output: input.output }),
  };
}

/** A stored definition, with the defaults of settings that came later. */
export function withDefaults(definition: WorkflowDefinition): WorkflowDefinition {
  return { ...definition, config: { ...DEFAULT_CONFIG, ...definition.config } };
}

/** The input that would make a workflow as it is: what PATCH merges into. */
export function inputOf(workflow: Workflow): WorkflowInput {
  const { name, description, status, tags, definition } = workflow;
  const { config, nodes, input_schema, output } = definition;
  return {
    name,
    description,
    status,
    config,
    nodes,
    tags,
    ...(input_schema === undefined ? {} : { input_schema }),
    ...(output === undefined ? {} : { output }),
  };
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, own]) => own !== undefined)) as T;
}
