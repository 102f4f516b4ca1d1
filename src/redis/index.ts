export { RedisLink } from './redis-link.js';
export { REDIS, RedisModule } from './redis.module.js';
