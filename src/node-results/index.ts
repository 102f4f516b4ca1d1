export { CachingRunner } from './caching-runner.js';
export { ResultCache } from './result-cache.js';
export { ResultEntity } from './result.entity.js';
export { ResultRepository } from './result.repository.js';
