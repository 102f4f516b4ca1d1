import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Settings, SETTINGS } from '../settings/index.js';
import { RedisLink } from './redis-link.js';

/** Injection token of the `RedisLink` of this process. The value is null if `REDIS_URL` is not set. */
export const REDIS = Symbol('REDIS');

@Module({
  providers: [
    {
      provide: REDIS,
      inject: [SETTINGS],
      useFactory: ({ REDIS_URL, REDIS_PREFIX }: Settings) =>
        REDIS_URL === undefined ? null : RedisLink.open(REDIS_URL, REDIS_PREFIX),
    },
  ],
  exports: [REDIS],
})
export class RedisModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: RedisLink | null) {}

  /** Closes the Redis connection in the last shutdown phase, because earlier phases may still use Redis. */
  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
