export { ChoreEntity } from './chore.entity.js';
export { RetentionModule } from './retention.module.js';
