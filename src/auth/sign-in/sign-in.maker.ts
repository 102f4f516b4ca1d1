import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../../platform/index.js';
import type { Write } from '../../storage/index.js';
import { personFrom, type RequestOrigin } from '../request-address.js';
import { ABSOLUTE_MS, type CurrentSignIn, IDLE_MS } from './sign-in.js';
import { hashOfSignInSecret, newSignInSecret } from './sign-in-secret.js';
import { type SignInLimits, SignInsRepository } from './sign-ins.repository.js';

/** A sign-in that is not stored yet, and the writes that store the sign-in. */
export interface PreparedSignIn {
  readonly signIn: CurrentSignIn;
  readonly writes: readonly Write[];
}

@Injectable()
export class SignInMaker {
  constructor(
    private readonly repository: SignInsRepository,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Prepares a new sign-in without storing it.
   * @param replaced cookie value of the browser's previous sign-in, which ends
   */
  prepare(userId: string, teamId: string, origin: RequestOrigin, replaced?: string): PreparedSignIn {
    const now = this.clock.now();
    const secret = newSignInSecret();
    const signIn = {
      id: newId(),
      userId,
      teamId,
      address: origin.address,
      userAgent: origin.userAgent,
      createdAt: isoTime(now),
      lastSeenAt: isoTime(now),
      expiresAt: isoTime(now + ABSOLUTE_MS),
    };
    return {
      signIn: { ...signIn, secret },
      writes: [
        this.repository.deleteEnded(userId, limitsAt(now)),
        ...(replaced === undefined ? [] : [this.repository.deleteByHash(hashOfSignInSecret(replaced))]),
        this.repository.insert({ ...signIn, hash: hashOfSignInSecret(secret) }),
        this.audit.entry(personFrom(origin, userId), {
          teamId,
          action: 'sign_in.created',
          target: { type: 'sign_in', id: signIn.id },
        }),
      ],
    };
  }
}

/**
 * @param now epoch milliseconds
 */
export function limitsAt(now: number): SignInLimits {
  return { now: isoTime(now), idleSince: isoTime(now - IDLE_MS) };
}
