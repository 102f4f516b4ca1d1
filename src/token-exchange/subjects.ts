import { Inject, Injectable } from '@nestjs/common';
import { atLeast, refusing, type Role } from '../access/index.js';
import { CLOCK, type Clock, isId, isoTime } from '../platform/index.js';
import type { Write } from '../storage/index.js';
import { TeamsService } from '../teams/index.js';
import { normalEmail, type User, UsersService } from '../users/index.js';
import { claimedRole, claimedTeam, type SubjectClaims, subjectClaims } from './claims.js';
import { ExternalIdentitiesRepository } from './external-identities.repository.js';
import type { VerifiedJwt } from './jwt-verifier.js';
import { NoTeamForSubjectError, UnknownSubjectError } from './token-exchange.errors.js';

export interface Subject {
  readonly user: User;
  readonly teamId: string;
  /** Role for the exchange: the lower of the role in the team and the highest role that the JWT grants. */
  readonly role: Role;
  readonly claims: SubjectClaims;
  /**
   * Writes that create the user, link the user to the JWT's subject, or add the user to the team. The commit
   * of these writes must also advance the access epoch, so that all processes read the changed access rights.
   */
  readonly writes: readonly Write[];
}

/** Thrown if a concurrent exchange has created the same user or membership first. */
export class ProvisionedMeanwhileError extends Error {
  override readonly name = 'ProvisionedMeanwhileError';
}

const provisionedMeanwhile = (): Error => new ProvisionedMeanwhileError();

const MAX_NAME_LENGTH = 255;

/** Finds the users whom JWTs identify. Prepares a new user if the issuer's configuration sets `provision`. */
@Injectable()
export class Subjects {
  constructor(
    private readonly identities: ExternalIdentitiesRepository,
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @throws UnknownSubjectError when the token identifies no user and the issuer may create none, or the user is
   * disabled.
   *
   * @throws NoTeamForSubjectError, UnlistedTeamError, UnlistedRoleError
   */
  async find(jwt: VerifiedJwt): Promise<Subject> {
    const claims = subjectClaims(jwt.claims, jwt.issuer);
    const { user, writes } = (await this.findLinked(jwt)) ?? (await this.linkOrCreate(jwt, claims));
    const caller = { userId: user.id };
    if (user.disabledAt !== null) throw refusing(new UnknownSubjectError(), caller);
    const team = await this.team(jwt, user).catch((error: unknown) => {
      // The audit entry about this refusal can name only a stored user, so the entry names no caller if the
      // user is new.
      throw writes.length === 0 ? refusing(error, caller) : error;
    });
    return { user, claims, ...team, writes: [...writes, ...team.writes] };
  }

  private async findLinked({ issuer: { issuer }, subject }: VerifiedJwt): Promise<Person | undefined> {
    const identity = await this.identities.find(issuer, subject);
    if (identity === null) return undefined;
    const user = await this.users.find(identity.userId);
    if (user === null) throw new UnknownSubjectError();
    return { user, writes: [] };
  }

  private async linkOrCreate({ issuer, subject }: VerifiedJwt, claims: SubjectClaims): Promise<Person> {
    const email = claims.email === undefined ? undefined : normalEmail(claims.email);
    if (email === undefined) throw new UnknownSubjectError();
    const person = await this.findOrPrepare(email, issuer, claims);
    if (person === undefined) {
      // A concurrent exchange may have created this user after the first lookup. In this case, the error
      // makes the caller try again.
      if ((await this.identities.find(issuer.issuer, subject)) !== null) throw provisionedMeanwhile();
      throw new UnknownSubjectError();
    }
    const { user, writes } = person;
    const identity = {
      issuer: issuer.issuer,
      subject,
      userId: user.id,
      createdAt: isoTime(this.clock.now()),
    };
    return { user, writes: [...writes, this.identities.insert(identity, provisionedMeanwhile)] };
  }

  /**
   * Returns the user with an email address, or prepares a new user if the issuer may create users. An existing user is
   * returned only with `link_by_email`, and only if the issuer verified the address.
   */
  private async findOrPrepare(
    email: string,
    { provision, link_by_email }: VerifiedJwt['issuer'],
    claims: SubjectClaims,
  ): Promise<Person | undefined> {
    const owner = await this.users.findByEmail(email);
    if (owner !== null)
      return link_by_email && claims.isEmailVerified ? { user: owner, writes: [] } : undefined;
    if (!provision) return undefined;
    return this.users.prepare({
      email,
      ...(claims.name === undefined ? {} : { name: claims.name.slice(0, MAX_NAME_LENGTH) }),
    });
  }

  private async team(
    { issuer, claims }: VerifiedJwt,
    user: User,
  ): Promise<Pick<Subject, 'teamId' | 'role' | 'writes'>> {
    const teamId = claimedTeam(claims, issuer) ?? (await this.firstTeam(issuer, user));
    const limit = claimedRole(claims, issuer);
    if (teamId === undefined || !isId(teamId) || (await this.teams.find(teamId)) === null)
      throw new NoTeamForSubjectError();
    const membership = await this.teams.membership(teamId, user.id);
    if (membership !== null) return { teamId, role: lowerRole(membership.role, limit), writes: [] };
    if (!issuer.provision) throw new NoTeamForSubjectError();
    const role = limit ?? issuer.default_role;
    return { teamId, role, writes: this.teams.joining(teamId, user.id, role, provisionedMeanwhile) };
  }

  /** Returns the team in which the user has been a member for longest, among the teams that the issuer may use. */
  private async firstTeam(
    { any_team, teams }: VerifiedJwt['issuer'],
    user: User,
  ): Promise<string | undefined> {
    const listed = new Set(Object.values(teams));
    const memberships = await this.teams.memberships([user.id]);
    return memberships.find(({ teamId }) => any_team || listed.has(teamId))?.teamId;
  }
}

type Person = Pick<Subject, 'user' | 'writes'>;

function lowerRole(role: Role, limit: Role | undefined): Role {
  return limit === undefined || atLeast(limit, role) ? role : limit;
}
