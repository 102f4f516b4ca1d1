export { type Execution, hasEnded } from './execution.js';
export { ExecutionEntity } from './execution.entity.js';
export { ExecutionsModule } from './executions.module.js';
export { ExecutionsReader } from './executions.reader.js';
export { DatabaseInUseError } from './instances/instance-registry.js';
export { InstanceEntity } from './instances/instance.entity.js';
