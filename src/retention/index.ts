export { ChoreEntity } from './chore.entity.js';
export { ChoreRepository } from './chore.repository.js';
export { Retention } from './retention.js';
export { Trimmer } from './trimmer.js';
