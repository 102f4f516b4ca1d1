import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, isoTime } from '../platform/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import { UsersService } from '../users/index.js';
import type { Invitation, ReceivedInvitation } from './invitation.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationNotFoundError } from './teams.errors.js';
import { TeamsService } from './teams.service.js';

@Injectable()
export class ReceivedInvitations {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list(email: string, place: IdPlace): Promise<PageRows<ReceivedInvitation>> {
    const { items, total } = await this.repository.listOpen({ email }, isoTime(this.clock.now()), place);
    return { items: await this.complete(items), total };
  }

  /** @throws InvitationNotFoundError if the address has no open invitation with this id. */
  async find(email: string, id: string): Promise<Invitation> {
    const invitation = await this.repository.findOpenOfEmail(email, id, isoTime(this.clock.now()));
    if (invitation === null) throw new InvitationNotFoundError(id);
    return invitation;
  }

  /** @throws InvitationNotFoundError if the team or the inviter was deleted meanwhile. */
  async detailsOf(invitation: Invitation): Promise<ReceivedInvitation> {
    const [received] = await this.complete([invitation]);
    if (received === undefined) throw new InvitationNotFoundError(invitation.id);
    return received;
  }

  private async complete(invitations: readonly Invitation[]): Promise<readonly ReceivedInvitation[]> {
    const [teams, users] = await Promise.all([
      this.teams.findMany([...new Set(invitations.map(({ teamId }) => teamId))]),
      this.users.findMany([...new Set(invitations.map(({ invitedBy }) => invitedBy))]),
    ]);
    return invitations.flatMap((invitation) => {
      const team = teams.find(({ id }) => id === invitation.teamId);
      const inviter = users.find(({ id }) => id === invitation.invitedBy);
      return team === undefined || inviter === undefined ? [] : [{ invitation, team, inviter }];
    });
  }
}
