import { Injectable } from '@nestjs/common';
import { AccessChanges, AuditTrail } from '../audit/index.js';
import type { IdPlace } from '../pages/index.js';
import { type Invitation, InvitationsService, ReceivedInvitations } from '../teams/index.js';
import { UsersService } from '../users/index.js';
import { personFrom, type RequestOrigin } from './request-address.js';
import { SignInEndedError } from './sign-in/sign-in.errors.js';
import type { SignIn } from './sign-in/sign-in.js';

type ReceivedPage = Awaited<ReturnType<ReceivedInvitations['list']>>;

@Injectable()
export class OwnInvitations {
  constructor(
    private readonly received: ReceivedInvitations,
    private readonly invitations: InvitationsService,
    private readonly users: UsersService,
    private readonly audit: AuditTrail,
    private readonly changes: AccessChanges,
  ) {}

  async list({ userId }: SignIn, place: IdPlace): Promise<ReceivedPage> {
    return this.received.list(await this.emailOf(userId), place);
  }

  /**
   * Accepts an invitation to the signed-in person. The selected team of the sign-in does not change.
   * @throws InvitationNotFoundError; AlreadyMemberError.
   */
  async accept({ userId }: SignIn, id: string, origin: RequestOrigin): Promise<void> {
    const invitation = await this.received.find(await this.emailOf(userId), id);
    const after = { user_id: userId, role: invitation.role };
    await this.changes.commit(
      personFrom(origin, userId),
      { ...eventOf(invitation, 'accepted'), after },
      this.invitations.acceptance(invitation, userId),
    );
  }

  /** @throws InvitationNotFoundError */
  async decline({ userId }: SignIn, id: string, origin: RequestOrigin): Promise<void> {
    const invitation = await this.received.find(await this.emailOf(userId), id);
    await this.audit.commit(personFrom(origin, userId), eventOf(invitation, 'declined'), [
      this.invitations.withdrawal(id),
    ]);
  }

  private async emailOf(userId: string): Promise<string> {
    const user = await this.users.find(userId);
    if (user === null) throw new SignInEndedError();
    return user.email;
  }
}

function eventOf({ id, teamId }: Invitation, what: 'accepted' | 'declined') {
  return { teamId, action: `invitation.${what}`, target: { type: 'invitation', id } } as const;
}
