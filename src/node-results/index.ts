export { NodeResultsModule } from './node-results.module.js';
export { ResultEntity } from './result.entity.js';
export { ResultRepository } from './result.repository.js';
