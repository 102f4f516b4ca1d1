export { Dispatcher } from './dispatch/dispatcher.js';
export { type Execution, hasEnded } from './execution.js';
export { EXECUTION_ENTITIES } from './entities.js';
export { ExecutionsModule } from './executions.module.js';
export { ExecutionsReader } from './executions.reader.js';
export { isInstanceDead } from './instances/instance-registry.js';
export { instancesOf } from './instances/instance.repository.js';
