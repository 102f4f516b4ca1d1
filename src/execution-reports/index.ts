export { ExecutionReportsModule } from './execution-reports.module.js';
