import { AccessEpochEntity } from './access/index.js';
import { AuditEntryEntity, AuditSealEntity } from './audit/index.js';
import {
  ExternalIdentityEntity,
  InstallationEntity,
  SetUpLinkEntity,
  SignInEntity,
  UsedTokenEntity,
} from './auth/index.js';
import { EXECUTION_ENTITIES } from './executions/index.js';
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
  ...EXECUTION_ENTITIES,
  JournalEntity,
  JournalFloorEntity,
  PayloadEntity,
];

/** Every step of the schema, oldest first. */
export const MIGRATIONS: readonly MigrationClass[] = ALL_MIGRATIONS;
