import {
  CancellationJobEntity,
  ExecutionAdmissionEntity,
  ExecutionEntity,
  MessageEntity,
  SharedSecretEntity,
} from './execution-store/index.js';
import { AccessEpochEntity } from './access/index.js';
import { AuditEntryEntity, AuditSealEntity } from './audit/index.js';
import {
  ExternalIdentityEntity,
  InstallationEntity,
  SetUpLinkEntity,
  SignInEntity,
  UsedTokenEntity,
} from './auth/index.js';

import { InstanceEntity } from './instances/index.js';
import { ResultEntity } from './node-results/index.js';
import {
  ExecutionTotalEntity,
  ExecutionHourEntity,
  ExecutionSpanEntity,
  ExecutionFrontierEntity,
  ExecutionStragglerEntity,
} from './execution-totals/index.js';
import { ChoreEntity } from './retention/index.js';
import { JournalEntity, JournalFloorEntity, PayloadEntity } from './journal/index.js';
import { ApiKeyEntity } from './keys/index.js';
import type { EntityClass, MigrationClass } from './storage/index.js';
import { IdempotencyEntity } from './idempotency/index.js';
import { ProjectEntity } from './projects/index.js';
import { SessionEntity, SessionStateChangeEntity } from './sessions/index.js';
import { InvitationEntity, TeamEntity, TeamMemberEntity } from './teams/index.js';
import { UserEntity } from './users/index.js';
import { WorkflowEntity, WorkflowVersionEntity } from './workflows/index.js';
import { MIGRATIONS as ALL_MIGRATIONS } from '../migrations/index.js';

/** Every table of the service. */
export const ENTITIES: readonly EntityClass[] = [
  AccessEpochEntity,
  AuditEntryEntity,
  AuditSealEntity,
  UserEntity,
  TeamEntity,
  TeamMemberEntity,
  InvitationEntity,
  ProjectEntity,
  ApiKeyEntity,
  InstallationEntity,
  SetUpLinkEntity,
  SignInEntity,
  ExternalIdentityEntity,
  UsedTokenEntity,
  IdempotencyEntity,
  SessionEntity,
  SessionStateChangeEntity,
  WorkflowEntity,
  WorkflowVersionEntity,
  ExecutionEntity,
  ExecutionAdmissionEntity,
  MessageEntity,
  SharedSecretEntity,
  InstanceEntity,
  ResultEntity,
  ExecutionTotalEntity,
  ExecutionHourEntity,
  ExecutionSpanEntity,
  ExecutionFrontierEntity,
  ExecutionStragglerEntity,
  ChoreEntity,
  CancellationJobEntity,
  JournalEntity,
  JournalFloorEntity,
  PayloadEntity,
];

/** Every step of the schema, oldest first. */
export const MIGRATIONS: readonly MigrationClass[] = ALL_MIGRATIONS;
