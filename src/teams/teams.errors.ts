import type { Role } from '../access/index.js';
import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when no team has the id, or it was deleted. */
export class TeamNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

/** Thrown when a key is used for another team than its own. */
export class TeamOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key does not reach the team ${id}.`, 'team_out_of_reach');
  }
}

/** Thrown when a caller who does not own the installation assigns a plan. */
export class NotOperatorError extends PermissionError {
  constructor() {
    super(
      'Only the owner of the installation gives a team a plan, with a key of the scope * or in the dashboard.',
      'not_operator',
    );
  }
}

/** Thrown when a caller deletes a team without owning it. */
export class NotTeamOwnerError extends PermissionError {
  constructor() {
    super('Only an owner deletes a team.', 'not_team_owner');
  }
}

/** Thrown when a caller grants a role, or changes a member, above their own role. */
export class RoleAboveOwnError extends PermissionError {
  constructor(role: Role) {
    super(`You cannot give, change or take away the role ${role}: it is above your own.`, 'role_above_own');
  }
}

/** Thrown when a person is not a member of a team. */
export class MemberNotFoundError extends NotFoundError {
  constructor(userId: string) {
    super('member', userId);
  }
}

/** Thrown when a person is added who is already in the team. */
export class AlreadyMemberError extends ConflictError {
  constructor() {
    super('already_member', 'This person is in the team already.');
  }
}

/** Thrown when the only owner of a team would leave or be demoted. */
export class LastOwnerError extends ConflictError {
  constructor() {
    super('last_owner', 'A team needs an owner: make somebody else one first.');
  }
}

/** Thrown when a person would have no team left. */
export class LastTeamError extends ConflictError {
  constructor() {
    super('last_team', 'This is the only team that you are in; make another one first.');
  }
}

/** Thrown when a team is deleted while executions in its projects are unfinished. */
export class TeamBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'team_has_running_executions',
      `${running === 1 ? '1 execution of this team has' : `${running} executions of this team have`} not ended; wait until then, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when another request changed the team at the same time. */
export class TeamChangedError extends ConflictError {
  constructor() {
    super(
      'team_changed',
      'The team was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}

/** Thrown when another request changed the member at the same time. */
export class MemberChangedError extends ConflictError {
  constructor() {
    super(
      'member_changed',
      'The member was changed by another request at the same time; read it again and repeat the change.',
    );
  }
}

/** Thrown when another request changed the caller's own role at the same time. */
export class OwnRoleChangedError extends ConflictError {
  constructor() {
    super('own_role_changed', 'Your own role was changed by another request at the same time; try again.');
  }
}

/** Thrown when a team has no open invitation with the id. */
export class InvitationNotFoundError extends NotFoundError {
  constructor(id?: string) {
    super('invitation', id);
  }
}
