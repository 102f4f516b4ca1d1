import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '../platform/index.js';
import { Secrets } from '../secrets/index.js';
import type { HookRequest } from './hook-request.js';
import type { Hook } from './hook.js';
import { HookSecretMissingError, HookVerificationError } from './hooks.errors.js';
import { verificationFault } from './verification.js';

@Injectable()
export class HookVerification {
  constructor(
    private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws HookVerificationError; HookSecretMissingError. */
  async verify({ projectId, verification }: Hook, request: HookRequest): Promise<void> {
    if (verification.type === 'none') return;
    const secret = await this.secrets.valueOf(projectId, verification.secret);
    if (secret === null) throw new HookSecretMissingError(verification.secret);
    const fault = verificationFault(verification, request, secret, this.clock.now());
    if (fault !== undefined) throw new HookVerificationError(fault);
  }
}
