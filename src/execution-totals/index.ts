export { ExecutionCountRepository, WATERMARK_SQL } from './execution-count.repository.js';
export { ExecutionTotalsModule } from './execution-totals.module.js';
export {
  durationAt,
  durationBucket,
  type EndedExecution,
  HOUR_MS,
  type HourlyCount,
  hourlyCountsOf,
  NEVER_STARTED,
} from './tally.js';
export { TotalsRepository } from './totals.repository.js';
