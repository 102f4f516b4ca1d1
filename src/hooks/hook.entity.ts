import { Column, Entity, Index } from 'typeorm';
import { IdColumn, JsonColumn, TimeColumn } from '../database/index.js';
import type { Json } from '../expressions/index.js';
import type { HookAction, HookMethod, HookResponse, HookSignal, HookStatus } from './hook.js';
import type { Verification } from './verification.js';

@Entity('hooks')
@Index('hooks_project', ['projectId', 'id'])
@Index('hooks_workflow', ['workflowId', 'id'])
export class HookEntity {
  @IdColumn({ primary: true })
  id: string;

  @IdColumn({ name: 'project_id' })
  projectId: string;

  @IdColumn({ name: 'workflow_id', nullable: true })
  workflowId: string | null;

  @Column({ type: 'varchar' })
  name: string;

  @Column({ type: 'varchar' })
  action: HookAction;

  @JsonColumn({ nullable: true })
  signal: HookSignal | null;

  @JsonColumn()
  methods: readonly HookMethod[];

  @JsonColumn()
  verification: Verification;

  @JsonColumn({ nullable: true })
  input: Json;

  @Column({ type: 'varchar', nullable: true })
  deduplication: string | null;

  @Column({ type: 'varchar' })
  respond: HookResponse;

  @Column({ type: 'varchar' })
  status: HookStatus;

  @TimeColumn({ name: 'last_delivery_at', nullable: true })
  lastDeliveryAt: string | null;

  @Column({ name: 'token_prefix', type: 'varchar' })
  tokenPrefix: string;

  @Column({ type: 'integer' })
  revision: number;

  @TimeColumn({ name: 'created_at' })
  createdAt: string;

  @TimeColumn({ name: 'updated_at' })
  updatedAt: string;
}
