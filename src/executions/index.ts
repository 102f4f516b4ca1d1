export { ExecutionsModule } from './executions.module.js';
