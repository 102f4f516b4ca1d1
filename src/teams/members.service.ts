import { Injectable } from '@nestjs/common';
import { atLeast, type Principal, requireScope, type Role } from '../access/index.js';
import { AccessChanges } from '../audit/index.js';
import type { IdPlace, PageRows } from '../pages/index.js';
import type { Write } from '../storage/index.js';
import {
  InvalidUserError,
  normalEmail,
  type User,
  UserNotFoundError,
  UserOutOfReachError,
  UsersService,
} from '../users/index.js';
import type { Invitation } from './invitation.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { MemberKeys } from './member-keys.js';
import type { Membership } from './team.js';
import { TeamReach } from './team-reach.js';
import {
  AlreadyMemberError,
  LastOwnerError,
  MemberChangedError,
  MemberNotFoundError,
  OwnRoleChangedError,
  RoleAboveOwnError,
} from './teams.errors.js';
import { TeamsRepository } from './teams.repository.js';

export interface Member {
  readonly user: User;
  readonly membership: Membership;
}

export type Candidate = { readonly email: string } | { readonly userId: string };

/**
 * A new invitation with its link. The link cannot be read later, because the database stores only a hash of its token.
 */
export interface NewInvitation {
  readonly invitation: Invitation;
  readonly url: string;
}

/**
 * Manages the members of a team and their roles. Callers cannot grant, change or remove a role above their own role.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly users: UsersService,
    private readonly repository: TeamsRepository,
    private readonly reach: TeamReach,
    private readonly invitations: InvitationsService,
    private readonly openInvitations: InvitationsRepository,
    private readonly keys: MemberKeys,
    private readonly changes: AccessChanges,
  ) {}

  /** @throws TeamNotFoundError; TeamOutOfReachError. */
  async list(principal: Principal, teamId: string, place: IdPlace): Promise<PageRows<Member>> {
    await this.reach.read(principal, teamId);
    const { items, total } = await this.repository.listMembers(teamId, place);
    const users = new Map(
      (await this.users.findMany(items.map(({ userId }) => userId))).map((user) => [user.id, user]),
    );
    const members = items.flatMap((membership) => {
      const user = users.get(membership.userId);
      return user === undefined ? [] : [{ user, membership }];
    });
    return { items: members, total };
  }

  /**
   * Invites a person, who joins the team by accepting the invitation. For an email address, the response does not
   * reveal whether the address has an account.
   *
   * @throws RoleAboveOwnError; InvalidUserError; AlreadyMemberError; for a user id also UserNotFoundError and
   * UserOutOfReachError; the errors of `TeamReach`.
   */
  async invite(
    principal: Principal,
    teamId: string,
    candidate: Candidate,
    role: Role,
  ): Promise<NewInvitation> {
    await this.reach.change(principal, teamId);
    if (!atLeast(principal.role, role)) throw new RoleAboveOwnError(role);
    const email = await this.addressOf(principal, candidate);
    if (await this.repository.hasMemberOfEmail(teamId, email)) throw new AlreadyMemberError();
    const { invitation, url, event, writes } = this.invitations.prepare(principal, teamId, email, role);
    await this.changes.commit(principal, event, [this.ownRole(principal), ...writes], invitation.id);
    return { invitation, url };
  }

  /** @throws MemberNotFoundError; RoleAboveOwnError; LastOwnerError; MemberChangedError. */
  async change(principal: Principal, teamId: string, userId: string, role: Role): Promise<Member> {
    await this.reach.change(principal, teamId);
    const { user, membership } = await this.member(teamId, userId);
    for (const touched of [membership.role, role])
      if (!atLeast(principal.role, touched)) throw new RoleAboveOwnError(touched);
    const next = { ...membership, role };
    if (role === membership.role) return { user, membership };
    const isLowered = atLeast(membership.role, role);
    await this.changes.commit(
      principal,
      {
        teamId,
        action: 'member.role_changed',
        target: { type: 'member', id: userId },
        before: { role: membership.role },
        after: { role },
      },
      [
        this.ownRole(principal),
        this.repository.requireRole(membership, () => new MemberChangedError()),
        this.repository.changeRole(next, () => new LastOwnerError()),
        // A person with a lower role may no longer be allowed to invite, so the person's open invitations are revoked.
        ...(isLowered ? [this.openInvitations.deleteByInviter(teamId, userId)] : []),
      ],
    );
    return { user, membership: next };
  }

  /**
   * Removes a person from a team, and deletes the person's API keys in the team. Callers may also remove themselves.
   *
   * @throws MissingScopeError; MemberNotFoundError; RoleAboveOwnError; LastOwnerError; MemberChangedError.
   */
  async remove(principal: Principal, teamId: string, userId: string): Promise<void> {
    requireScope(principal, userId === principal.userId ? 'users:write' : 'teams:write');
    await this.reach.change(principal, teamId);
    const { user, membership } = await this.member(teamId, userId);
    if (!atLeast(principal.role, membership.role)) throw new RoleAboveOwnError(membership.role);
    await this.changes.commit(
      principal,
      {
        teamId,
        action: 'member.removed',
        target: { type: 'member', id: userId },
        before: { email: user.email, role: membership.role },
      },
      [
        this.ownRole(principal),
        this.repository.requireRole(membership, () => new MemberChangedError()),
        this.repository.deleteMember(membership, () => new LastOwnerError()),
        this.openInvitations.deleteByInviter(teamId, userId),
        ...this.keys.adapter.end(teamId, userId),
      ],
    );
  }

  /**
   * Returns the email address to invite. A user id is accepted only if the caller and the user are members of a common
   * team.
   */
  private async addressOf(principal: Principal, candidate: Candidate): Promise<string> {
    if ('email' in candidate) {
      const email = normalEmail(candidate.email);
      if (email === undefined) throw new InvalidUserError('email', 'must be an email address');
      return email;
    }
    const { userId } = candidate;
    const user = await this.users.find(userId);
    if (user === null) throw new UserNotFoundError(userId);
    const memberships = await this.repository.findMemberships([principal.userId, userId]);
    const own = new Set(
      memberships.filter((one) => one.userId === principal.userId).map(({ teamId }) => teamId),
    );
    if (!memberships.some((one) => one.userId === userId && own.has(one.teamId)))
      throw new UserOutOfReachError(userId);
    return user.email;
  }

  /**
   * Returns a write that makes the commit fail if the caller's role has changed. Otherwise, a caller who is
   * being demoted could restore the old role in a concurrent request.
   */
  private ownRole({ teamId, userId, role }: Principal): Write {
    return this.repository.requireRole({ teamId, userId, role }, () => new OwnRoleChangedError());
  }

  private async member(teamId: string, userId: string): Promise<Member> {
    const [membership, user] = await Promise.all([
      this.repository.findMember(teamId, userId),
      this.users.find(userId),
    ]);
    if (user === null) throw new UserNotFoundError(userId);
    if (membership === null) throw new MemberNotFoundError(userId);
    return { user, membership };
  }
}
