import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { RateLimitPlans } from '../rate-limits/index.js';
import { InvalidKeyFieldError, KeyExceedsMakerError, TooManyKeysError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';

/** Maximum number of API keys that one user may own in all teams. Keys that were exchanged for JWTs do not count. */
export const MAX_KEYS_PER_USER = 100;

/** Checks that a user does not own too many API keys, and that a key does not get too high a rate-limit plan. */
@Injectable()
export class KeyLimits {
  constructor(
    private readonly repository: KeysRepository,
    private readonly plans: RateLimitPlans,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws TooManyKeysError if the person has the maximum number of keys */
  async requireRoom(userId: string): Promise<void> {
    const count = await this.repository.countOfUser(userId, isoTime(this.clock.now()));
    if (count >= MAX_KEYS_PER_USER) throw new TooManyKeysError(MAX_KEYS_PER_USER);
  }

  /**
   * Rejects a rate-limit plan that is unknown, or higher than the plan of the key's creator.
   *
   * @throws InvalidKeyFieldError; KeyExceedsMakerError.
   */
  requirePlan(
    wanted: string | undefined,
    maker: { readonly teamId: string; readonly plan: string; readonly keyPlan?: string },
  ): void {
    if (wanted === undefined) return;
    const isWithin = this.plans.isWithin(wanted, maker);
    if (isWithin === undefined)
      throw new InvalidKeyFieldError('plan', `must be one of ${this.plans.names.join(', ')}`);
    if (!isWithin) throw new KeyExceedsMakerError({ field: 'plan' });
  }
}
