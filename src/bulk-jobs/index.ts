export { BulkJobsModule } from './bulk-jobs.module.js';
