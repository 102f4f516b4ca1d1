import { Column, Entity, Index } from 'typeorm';
import type { WorkflowDefinition } from '../engine/index.js';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { WorkflowStatus } from './workflow.js';

@Entity('workflows')
@Index('workflows_project', ['projectId', 'id'])
export class WorkflowEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'text' })
  description: string;

  @Column({ type: 'varchar' })
  status: WorkflowStatus;

  @Column({ type: 'integer' })
  version: number;

  @Column({ type: 'integer' })
  revision: number;

  @JsonColumn()
  definition: WorkflowDefinition;

  /** Tags of the workflow, stored as `|a|b|`, so that the same substring search works on SQLite and PostgreSQL. */
  @Column({ type: 'text' })
  tags: string;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;

  @TimeColumn({ name: 'deleted_at', nullable: true })
  deletedAt: string | null;
}

@Entity('workflow_versions')
export class WorkflowVersionEntity {
  @IdColumn({ name: 'workflow_id', primary: true })
  workflowId: string;

  @Column({ type: 'integer', primary: true })
  version: number;

  @JsonColumn()
  definition: WorkflowDefinition;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @IdColumn({ name: 'created_by' })
  createdBy: string;
}
