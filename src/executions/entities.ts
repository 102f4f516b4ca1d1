import { ExecutionAdmissionEntity } from './admission/admission.entity.js';
import { ExecutionEntity } from './execution.entity.js';
import { MessageEntity } from './inbox/message.entity.js';
import { InstanceEntity } from './instances/instance.entity.js';
import { ResultEntity } from './results/result.entity.js';
import { CancellationJobEntity } from './trees/cancellation-job.entity.js';
import { ChoreEntity } from './retention/chore.entity.js';
import { SharedSecretEntity } from './secret/shared-secret.entity.js';
import {
  ExecutionFrontierEntity,
  ExecutionHourEntity,
  ExecutionSpanEntity,
  ExecutionStragglerEntity,
  ExecutionTotalEntity,
} from './totals/totals.entity.js';

/** Every table of the room. */
export const EXECUTION_ENTITIES = [
  ExecutionEntity,
  ExecutionAdmissionEntity,
  MessageEntity,
  SharedSecretEntity,
  InstanceEntity,
  ResultEntity,
  ChoreEntity,
  CancellationJobEntity,
  ExecutionTotalEntity,
  ExecutionHourEntity,
  ExecutionSpanEntity,
  ExecutionFrontierEntity,
  ExecutionStragglerEntity,
] as const;
