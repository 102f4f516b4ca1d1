import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import { RateLimitPlans } from '../rate-limits/index.js';
import { InvalidKeyFieldError, KeyExceedsMakerError, TooManyKeysError } from './keys.errors.js';
import { KeysRepository } from './keys.repository.js';

/** Maximum number of keys per person in all teams, without exchanged keys. */
export const MAX_KEYS_PER_USER = 100;

/** Limits the number of keys and their rate-limit plans. */
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
   * Refuses an unknown plan, and a plan above the creator's plan.
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
