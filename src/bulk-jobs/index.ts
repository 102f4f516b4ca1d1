export { BulkJobsModule } from './bulk-jobs.module.js';
export type { BulkJobView } from './bulk-job.dto.js';
