import { Injectable } from '@nestjs/common';
import { Writer } from '../storage/index.js';
import { FailedAuthLimiter } from '../rate-limits/index.js';
import { type NewUser, UsersService } from '../users/index.js';
import { AlreadySetUpError, InvalidSetUpLinkError } from './auth.errors.js';
import { FirstAdminService } from './first-admin.service.js';
import type { RequestOrigin } from './request-address.js';
import { SetUpLinkService } from './set-up-link.service.js';
import type { CurrentSignIn } from './sign-in/sign-in.js';
import { SignInMaker } from './sign-in/sign-in.maker.js';

@Injectable()
export class SetUpService {
  constructor(
    private readonly users: UsersService,
    private readonly links: SetUpLinkService,
    private readonly firstAdmin: FirstAdminService,
    private readonly signIns: SignInMaker,
    private readonly limiter: FailedAuthLimiter,
    private readonly writer: Writer,
  ) {}

  async isOpen(): Promise<boolean> {
    return !(await this.users.hasAny());
  }

  /**
   * Creates the first admin, a team and a project, and signs the admin in.
   * @throws AlreadySetUpError if the service already has a user.
   * @throws InvalidSetUpLinkError; InvalidUserError; RateLimitError.
   */
  async setUp(token: string, newUser: NewUser, origin: RequestOrigin): Promise<CurrentSignIn> {
    if (!(await this.isOpen())) throw new AlreadySetUpError();
    const use = await this.links.use(token).catch((error: unknown) => {
      if (error instanceof InvalidSetUpLinkError) this.limiter.countFailure(origin.address);
      throw error;
    });
    const { user, team, writes } = await this.firstAdmin.prepare(newUser);
    const { signIn, writes: signInWrites } = this.signIns.prepare(user.id, team.id, origin);
    // The write of the installation row comes first. A concurrent second caller therefore gets AlreadySetUpError
    // instead of InvalidSetUpLinkError.
    await this.writer.commit({ writes: [...writes, use, ...signInWrites] });
    return signIn;
  }
}
