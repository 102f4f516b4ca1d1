import type { MigrationInterface } from 'typeorm';
import { InitialSchema1763712000000 } from './1763712000000-initial-schema.js';
import { ExecutionControl1763800000000 } from './1763800000000-execution-control.js';
import { Admission1763820000000 } from './1763820000000-admission.js';
import { ResultsAndTotals1763830000000 } from './1763830000000-results-and-totals.js';
import { ProjectTurns1763850000000 } from './1763850000000-project-turns.js';
import { InstanceDetails1763860000000 } from './1763860000000-instance-details.js';
import { SpansRevision1763870000000 } from './1763870000000-spans-revision.js';
import { ExecutionSpans1763880000000 } from './1763880000000-execution-spans.js';
import { ExecutionMetadata1763890000000 } from './1763890000000-execution-metadata.js';
import { PayloadPieces1763900000000 } from './1763900000000-payload-pieces.js';
import { ExecutionTrees1763910000000 } from './1763910000000-execution-trees.js';
import { KeyIssuers1763940000000 } from './1763940000000-key-issuers.js';
import { AuditSeals1763950000000 } from './1763950000000-audit-seals.js';
import { KeyPlans1763950010000 } from './1763950010000-key-plans.js';
import { IdempotencyResources1763960000000 } from './1763960000000-idempotency-resources.js';
import { PluginMigrations1763965000000 } from './1763965000000-plugin-migrations.js';
import { Schedules1763980000000 } from './1763980000000-schedules.js';
import { BackfillProgress1763980500000 } from './1763980500000-backfill-progress.js';
import { Secrets1763990000000 } from './1763990000000-secrets.js';
import { Hooks1763991000000 } from './1763991000000-hooks.js';
import { Webhooks1763992000000 } from './1763992000000-webhooks.js';
import { Checkpoints1763993000000 } from './1763993000000-checkpoints.js';
import { ActiveTime1763994000000 } from './1763994000000-active-time.js';
import { Traces1763995000000 } from './1763995000000-traces.js';
import { JournalOrder1795651200000 } from './1795651200000-journal-order.js';
import { Autovacuum1795737600000 } from './1795737600000-autovacuum.js';
import { ExecutionSearch1795910400000 } from './1795910400000-execution-search.js';
import { BulkJobs1795996800000 } from './1795996800000-bulk-jobs.js';
import { SavedViews1795996801000 } from './1795996801000-saved-views.js';
import { ListCounts1796083200000 } from './1796083200000-list-counts.js';
import { SecretLists1796083201000 } from './1796083201000-secret-lists.js';
import { JournalPositionCost1796083202000 } from './1796083202000-journal-position-cost.js';

/** Every migration, oldest first. A released migration never changes. */
export const MIGRATIONS: readonly (new () => MigrationInterface)[] = [
  InitialSchema1763712000000,
  ExecutionControl1763800000000,
  Admission1763820000000,
  ResultsAndTotals1763830000000,
  ProjectTurns1763850000000,
  InstanceDetails1763860000000,
  SpansRevision1763870000000,
  ExecutionSpans1763880000000,
  ExecutionMetadata1763890000000,
  PayloadPieces1763900000000,
  ExecutionTrees1763910000000,
  KeyIssuers1763940000000,
  AuditSeals1763950000000,
  KeyPlans1763950010000,
  IdempotencyResources1763960000000,
  PluginMigrations1763965000000,
  Schedules1763980000000,
  BackfillProgress1763980500000,
  Secrets1763990000000,
  Hooks1763991000000,
  Webhooks1763992000000,
  Checkpoints1763993000000,
  ActiveTime1763994000000,
  Traces1763995000000,
  JournalOrder1795651200000,
  Autovacuum1795737600000,
  ExecutionSearch1795910400000,
  BulkJobs1795996800000,
  SavedViews1795996801000,
  ListCounts1796083200000,
  SecretLists1796083201000,
  JournalPositionCost1796083202000,
];
