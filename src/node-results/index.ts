export { NodeResultsModule } from './node-results.module.js';
export { ResultRepository } from './result.repository.js';
