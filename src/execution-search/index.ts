export { ExecutionFinder, type FoundExecutions, MAX_FOUND } from './execution-finder.js';
export { ExecutionSearchModule } from './execution-search.module.js';
export { matchOf, termsOf } from './words.js';
