import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json, JsonObject } from '../expressions/index.js';
import type { NodeDefinition, WorkflowConfig } from '../engine/index.js';
import { defined } from '../platform/index.js';
import { type Workflow, WORKFLOW_STATUSES, type WorkflowStatus, type WorkflowVersion } from './workflow.js';
import { ConfigDto, NodeDto, WorkflowWarningView } from './workflow.dto.js';
import type { LastExecution } from './workflow-executions.js';

const ID_EXAMPLE = '0199a8c0-1111-7abc-8def-0123456789ab';

class DefinitionView {
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  @ApiProperty({ type: () => ConfigDto })
  config: WorkflowConfig;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  input_schema?: JsonObject;

  @ApiProperty({ type: () => [NodeDto] })
  nodes: readonly NodeDefinition[];

  @ApiPropertyOptional({ description: 'Any JSON value. Strings in it may contain `{{ }}` expressions.' })
  output?: Json;
}

export class WorkflowView extends DefinitionView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  id: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  project_id: string;

  @ApiProperty({ type: 'string', example: 'greeting' })
  name: string;

  @ApiProperty({ type: 'string', example: 'Says hello.' })
  description: string;

  @ApiProperty({ enum: WORKFLOW_STATUSES, example: 'active' })
  status: WorkflowStatus;

  @ApiProperty({ type: 'array', items: { type: 'string' }, example: ['demo'] })
  tags: readonly string[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;

  @ApiPropertyOptional({
    type: 'object',
    required: ['id', 'status', 'created_at', 'duration_ms'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      status: { type: 'string' },
      created_at: { type: 'string', format: 'date-time' },
      duration_ms: { type: 'integer', nullable: true },
    },
  })
  last_execution?: LastExecution;
}

export class SavedWorkflowView extends WorkflowView {
  /** Possible problems in the saved definition. Absent if the definition has no problems. */
  @ApiPropertyOptional({ type: () => [WorkflowWarningView] })
  warnings?: readonly WorkflowWarningView[];
}

export class WorkflowVersionView extends DefinitionView {
  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  workflow_id: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'uuid', example: ID_EXAMPLE })
  created_by: string;
}

export function workflowView(workflow: Workflow, last?: LastExecution): WorkflowView {
  const { definition } = workflow;
  return defined({
    id: workflow.id,
    project_id: workflow.projectId,
    name: workflow.name,
    description: workflow.description,
    status: workflow.status,
    version: workflow.version,
    config: definition.config,
    input_schema: definition.input_schema,
    nodes: definition.nodes,
    output: definition.output,
    tags: workflow.tags,
    created_at: workflow.createdAt,
    updated_at: workflow.updatedAt,
    last_execution: last,
  });
}

export function workflowVersionView({
  workflowId,
  version,
  definition,
  createdAt,
  createdBy,
}: WorkflowVersion): WorkflowVersionView {
  return defined({
    workflow_id: workflowId,
    version,
    config: definition.config,
    input_schema: definition.input_schema,
    nodes: definition.nodes,
    output: definition.output,
    created_at: createdAt,
    created_by: createdBy,
  });
}
