import { Inject, Injectable } from '@nestjs/common';
import { refusing } from '../../access/index.js';
import { AuditTrail } from '../../audit/index.js';
import { CLOCK, type Clock } from '../../platform/index.js';
import type { IdPlace, PageRows } from '../../pages/index.js';
import { type Write, Writer } from '../../storage/index.js';
import { TeamsService } from '../../teams/index.js';
import { personFrom, type RequestOrigin } from '../request-address.js';
import { PasswordCheck } from './password-check.js';
import type { SigningInBrowser } from './sign-in.answers.js';
import { type CurrentSignIn, isOver, type SignIn } from './sign-in.js';
import {
  NoTeamError,
  NotAMemberError,
  SignInEndedError,
  SignInNotFoundError,
  SignInOutOfReachError,
  UnknownTeamError,
} from './sign-in.errors.js';
import { limitsAt, SignInMaker } from './sign-in.maker.js';
import { SignInsRepository } from './sign-ins.repository.js';

@Injectable()
export class SignInsService {
  constructor(
    private readonly repository: SignInsRepository,
    private readonly maker: SignInMaker,
    private readonly check: PasswordCheck,
    private readonly teams: TeamsService,
    private readonly audit: AuditTrail,
    private readonly writer: Writer,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Signs a person in to the team that the person joined first.
   * @param browser cookies of the browser, whose current sign-in ends
   * @throws InvalidCredentialsError; RateLimitError; UnavailableError; NoTeamError.
   */
  async signIn(
    { email, password }: { readonly email: string; readonly password: string },
    origin: RequestOrigin,
    { replaced, devices }: SigningInBrowser,
  ): Promise<CurrentSignIn> {
    const verified = await this.check.personOf(email, password, { address: origin.address, devices });
    const { user } = verified;
    const [first] = await this.teams.memberships([user.id]);
    if (first === undefined) throw refusing(new NoTeamError(), { userId: user.id });
    const { signIn, writes } = this.maker.prepare(user.id, first.teamId, origin, replaced);
    await this.writer.commit({ writes: [...verified.writes, ...writes] });
    return signIn;
  }

  list({ userId }: SignIn, place: IdPlace): Promise<PageRows<SignIn>> {
    return this.repository.findOfUser(userId, limitsAt(this.clock.now()), place);
  }

  /**
   * @throws SignInNotFoundError; SignInOutOfReachError.
   */
  async end({ userId }: SignIn, id: string, origin: RequestOrigin): Promise<void> {
    const row = await this.repository.findById(id);
    if (row === null || isOver(row, this.clock.now())) throw new SignInNotFoundError(id);
    if (row.userId !== userId) throw new SignInOutOfReachError();
    await this.writer.commit({ writes: [this.repository.delete(id), this.ended(row, origin)] });
  }

  /**
   * @throws UnknownTeamError; NotAMemberError.
   */
  async switchTeam(current: CurrentSignIn, teamId: string): Promise<CurrentSignIn> {
    if ((await this.teams.find(teamId)) === null) throw new UnknownTeamError(teamId);
    if ((await this.teams.membership(teamId, current.userId)) === null) throw new NotAMemberError();
    await this.writer.commit({
      writes: [this.repository.setTeam(current.id, teamId, () => new SignInEndedError())],
    });
    return { ...current, teamId };
  }

  private ended({ id, teamId, userId }: SignIn, origin: RequestOrigin): Write {
    return this.audit.entry(personFrom(origin, userId), {
      teamId,
      action: 'sign_in.deleted',
      target: { type: 'sign_in', id },
    });
  }
}
