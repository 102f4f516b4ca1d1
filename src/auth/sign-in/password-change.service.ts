import { Injectable } from '@nestjs/common';
import { AccessChanges } from '../../audit/index.js';
import { PasswordsService } from '../../users/index.js';
import { personFrom, type RequestOrigin } from '../request-address.js';
import { PasswordCheck } from './password-check.js';
import type { SignIn } from './sign-in.js';
import { SignInEndedError } from './sign-in.errors.js';
import { SignInsRepository } from './sign-ins.repository.js';

@Injectable()
export class PasswordChange {
  constructor(
    private readonly check: PasswordCheck,
    private readonly passwords: PasswordsService,
    private readonly signIns: SignInsRepository,
    private readonly changes: AccessChanges,
  ) {}

  /**
   * Changes the password of a person and ends all other sign-ins of the person.
   * @throws WrongPasswordError; RateLimitError; SignInEndedError if the sign-in has ended meanwhile.
   */
  async change(
    { id, userId, teamId }: SignIn,
    { current, next }: { readonly current: string; readonly next: string },
    origin: RequestOrigin,
  ): Promise<void> {
    await this.check.require({ id, userId }, current, origin.address);
    await this.changes.commit(
      personFrom(origin, userId),
      { teamId, action: 'user.password_changed', target: { type: 'user', id: userId } },
      [
        // Another change of the password may have ended this sign-in since the check.
        this.signIns.requireOpen(id, userId, () => new SignInEndedError()),
        ...(await this.passwords.change(userId, next)),
        this.signIns.deleteOthers(userId, id),
      ],
    );
  }
}
