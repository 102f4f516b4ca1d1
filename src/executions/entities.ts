import {
  ExecutionAdmissionEntity,
  ExecutionEntity,
  MessageEntity,
  SharedSecretEntity,
} from '../execution-store/index.js';
import { InstanceEntity } from '../execution-runner/index.js';
import { ResultEntity } from '../node-results/index.js';
import { CancellationJobEntity } from './trees/cancellation-job.entity.js';
import { ChoreEntity } from '../retention/index.js';
import {
  ExecutionFrontierEntity,
  ExecutionHourEntity,
  ExecutionSpanEntity,
  ExecutionStragglerEntity,
  ExecutionTotalEntity,
} from '../execution-totals/index.js';

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
