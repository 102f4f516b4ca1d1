import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../access/index.js';
import { AccessChanges, type AuditEvent } from '../audit/index.js';
import { CLOCK, type Clock, isoTime, newId } from '../platform/index.js';
import { SETTINGS, type Settings } from '../settings/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import type { Write } from '../storage/index.js';
import { hashOfInvitationToken, type Invitation, INVITATION_DAYS } from './invitation.js';
import { InvitationsRepository } from './invitations.repository.js';
import type { Membership } from './team.js';
import { invitationView } from './team.view.js';
import { TeamReach } from './team-reach.js';
import { AlreadyMemberError, InvitationNotFoundError } from './teams.errors.js';
import { TeamsRepository } from './teams.repository.js';

const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;

/** A new invitation with its link, and the writes that store the invitation. The link is shown only once. */
export interface PreparedInvitation {
  readonly invitation: Invitation;
  readonly url: string;
  readonly event: AuditEvent;
  readonly writes: readonly Write[];
}

/** Creates, lists and revokes invitations to teams. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly teams: TeamsRepository,
    private readonly reach: TeamReach,
    private readonly changes: AccessChanges,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Prepares an invitation to a team. The returned writes store the invitation and revoke older invitations of the same
   * email address to the team.
   */
  prepare(principal: Principal, teamId: string, email: string, role: Membership['role']): PreparedInvitation {
    const now = this.clock.now();
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const invitation: Invitation = {
      id: newId(),
      teamId,
      email,
      role,
      invitedBy: principal.userId,
      createdAt: isoTime(now),
      expiresAt: isoTime(now + INVITATION_DAYS * DAY_MS),
    };
    const row = { ...invitation, hash: hashOfInvitationToken(token), acceptedAt: null };
    return {
      invitation,
      url: this.urlOf(token),
      event: {
        teamId,
        action: 'invitation.created',
        target: { type: 'invitation', id: invitation.id },
        after: invitationView(invitation),
      },
      writes: [this.repository.deleteOfEmail(teamId, email), this.repository.insert(row)],
    };
  }

  /** @throws TeamNotFoundError; TeamOutOfReachError. */
  async list(principal: Principal, teamId: string, place: IdPlace): Promise<PageRows<Invitation>> {
    await this.reach.read(principal, teamId);
    return this.repository.listOpen({ teamId }, isoTime(this.clock.now()), place);
  }

  /**
   * Returns an open invitation to a team.
   *
   * @throws TeamNotFoundError; TeamOutOfReachError; InvitationNotFoundError.
   */
  async read(principal: Principal, teamId: string, id: string): Promise<Invitation> {
    await this.reach.read(principal, teamId);
    return this.open(teamId, id);
  }

  /** @throws TeamNotFoundError; TeamOutOfReachError; BeyondProjectError; InvitationNotFoundError. */
  async delete(principal: Principal, teamId: string, id: string): Promise<void> {
    await this.reach.change(principal, teamId);
    const invitation = await this.open(teamId, id);
    await this.changes.commit(
      principal,
      {
        teamId,
        action: 'invitation.deleted',
        target: { type: 'invitation', id },
        before: invitationView(invitation),
      },
      [this.withdrawal(id)],
    );
  }

  private async open(teamId: string, id: string): Promise<Invitation> {
    const invitation = await this.repository.findOpen(teamId, id, isoTime(this.clock.now()));
    if (invitation === null) throw new InvitationNotFoundError(id);
    return invitation;
  }

  /** Returns the open invitation whose link contains the token, or null. */
  findByToken(token: string): Promise<Invitation | null> {
    return this.repository.findOpenByHash(hashOfInvitationToken(token), isoTime(this.clock.now()));
  }

  /**
   * Returns the writes that accept an invitation. The caller must commit the writes with `AccessEpoch.change`, because
   * a new membership changes access rights. The commit fails with `InvitationNotFoundError` or `AlreadyMemberError`.
   */
  acceptance({ id, teamId, role }: Invitation, userId: string): readonly Write[] {
    const now = isoTime(this.clock.now());
    return [
      this.repository.markAccepted(id, now, () => new InvitationNotFoundError()),
      this.teams.insertMember({ teamId, userId, role, createdAt: now }, () => new AlreadyMemberError()),
    ];
  }

  /**
   * Returns the write that revokes an invitation. The commit fails with `InvitationNotFoundError` if the invitation was
   * accepted or revoked before.
   */
  withdrawal(id: string): Write {
    return this.repository.delete(id, () => new InvitationNotFoundError(id));
  }

  private urlOf(token: string): string {
    const { DASHBOARD_URL, BASE_URL } = this.settings;
    const dashboard = DASHBOARD_URL ?? `${BASE_URL?.replace(/\/$/, '') ?? ''}/dashboard`;
    // Browsers never send the part of a URL after `#` to servers, so no server log contains the token.
    return `${dashboard.replace(/\/$/, '')}/invitation#t=${token}`;
  }
}
