import { Injectable } from '@nestjs/common';
import { refusing } from '../access/index.js';
import { AccessChanges, type AuditEvent } from '../audit/index.js';
import { ValidationError } from '../errors/index.js';
import { FailedAuthLimiter } from '../rate-limits/index.js';
import {
  type Invitation,
  InvitationsService,
  type ReceivedInvitation,
  ReceivedInvitations,
} from '../teams/index.js';
import {
  type PreparedUser,
  requirePasswordLength,
  type User,
  UsersService,
  type VerifiedUser,
} from '../users/index.js';
import { defined } from '../platform/index.js';
import { InvalidInvitationError } from './auth.errors.js';
import { personFrom, type RequestOrigin } from './request-address.js';
import { PasswordCheck, type PasswordOrigin } from './sign-in/password-check.js';
import type { SigningInBrowser } from './sign-in/sign-in.answers.js';
import type { CurrentSignIn } from './sign-in/sign-in.js';
import { InvalidCredentialsError } from './sign-in/sign-in.errors.js';
import { SignInMaker } from './sign-in/sign-in.maker.js';

export interface Acceptance {
  readonly token: string;
  readonly name?: string;
  readonly password?: string;
}

/** Accepts invitations by link. A person without an account gets a new account. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly received: ReceivedInvitations,
    private readonly users: UsersService,
    private readonly check: PasswordCheck,
    private readonly limiter: FailedAuthLimiter,
    private readonly signIns: SignInMaker,
    private readonly changes: AccessChanges,
  ) {}

  /** @throws InvalidInvitationError; RateLimitError. */
  async read(token: string, address: string): Promise<ReceivedInvitation> {
    return this.received.detailsOf(await this.find(token, address));
  }

  /**
   * Adds the invited person to the team and signs the person in. The person proves their identity by password or by an
   * existing sign-in.
   * @param signedInUserId id of the user who is signed in in the browser; undefined if no user is signed in
   * @param browser cookies of the browser, whose current sign-in ends
   * @throws InvalidInvitationError; InvalidCredentialsError; RateLimitError; AlreadyMemberError.
   * @throws ValidationError for a missing or unacceptable password, before the account is read, so that no error
   * reveals whether an account exists.
   */
  async accept(
    { token, ...person }: Acceptance,
    origin: RequestOrigin,
    signedInUserId: string | undefined,
    { replaced, devices }: SigningInBrowser,
  ): Promise<CurrentSignIn> {
    const invitation = await this.find(token, origin.address);
    if (person.password !== undefined) requirePasswordLength(person.password);
    else if (signedInUserId === undefined) throw ValidationError.of('password', 'required', 'is required');
    const known = await this.users.findByEmail(invitation.email);
    const { user, writes } =
      known === null
        ? await this.newcomer(invitation, person)
        : await this.verified(known, person.password, signedInUserId, { address: origin.address, devices });
    const { signIn, writes: signInWrites } = this.signIns.prepare(
      user.id,
      invitation.teamId,
      origin,
      replaced,
    );
    const event: AuditEvent = {
      teamId: invitation.teamId,
      action: 'invitation.accepted',
      target: { type: 'invitation', id: invitation.id },
      after: { user_id: user.id, role: invitation.role },
    };
    const acceptance = this.invitations.acceptance(invitation, user.id);
    await this.changes.commit(personFrom(origin, user.id), event, [
      ...writes,
      ...acceptance,
      ...signInWrites,
    ]);
    return signIn;
  }

  private async find(token: string, address: string): Promise<Invitation> {
    const invitation = await this.invitations.findByToken(token);
    if (invitation !== null) return invitation;
    this.limiter.countFailure(address);
    throw new InvalidInvitationError();
  }

  private async newcomer(
    { email }: Invitation,
    { name, password }: Omit<Acceptance, 'token'>,
  ): Promise<PreparedUser> {
    // A request without a password comes from a signed-in user who is not the invited person. The error must not reveal
    // whether the invited address has an account.
    if (password === undefined) throw new InvalidCredentialsError();
    return this.users.prepare(defined({ email, password, name }));
  }

  private async verified(
    user: User,
    password: string | undefined,
    signedInUserId: string | undefined,
    origin: PasswordOrigin,
  ): Promise<VerifiedUser> {
    if (password !== undefined) return this.check.personOf(user.email, password, origin);
    if (signedInUserId !== user.id) throw refusing(new InvalidCredentialsError(), { email: user.email });
    return { user, writes: [] };
  }
}
