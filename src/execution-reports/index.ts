export { ExecutionReportsModule } from './execution-reports.module.js';
export { AdminRequiredError } from './queue/queue.errors.js';
export { QueueRepository, type QueueTotals } from './queue/queue.repository.js';
export type { QueueProcess } from './queue/queue.service.js';
export { processView, QueueProcessView } from './queue/queue.view.js';
export { TtlCache } from './stats/ttl-cache.js';
