import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Settings, SETTINGS } from '../settings/index.js';
import { RedisLink } from './redis-link.js';

/** Injection token of the `RedisLink` of this process; null where no `REDIS_URL` is set. */
export const REDIS = Symbol('REDIS');

/** Redis, where there is one; imported by who uses it. */
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

  /** Last of all: what runs until then may use it. */
  onApplicationShutdown(): void {
    this.redis?.close();
  }
}
