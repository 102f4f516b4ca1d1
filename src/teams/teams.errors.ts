import type { Role } from '../access/index.js';
import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

/** Thrown when there is no team of an id, or it was deleted. */
export class TeamNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

/** Thrown when a key is used on another team than its own. */
export class TeamOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`This key does not reach the team ${id}.`, 'team_out_of_reach');
  }
}

/** Thrown when a plan is given by somebody who does not own the installation. */
export class NotOperatorError extends PermissionError {
  constructor() {
    super(
      'Only the owner of the installation gives a team a plan, with a key of the scope * or in the dashboard.',
      'not_operator',
    );
  }
}

/** Thrown when a team is to be deleted by somebody who does not own it. */
export class NotTeamOwnerError extends PermissionError {
  constructor() {
    super('Only an owner deletes a team.', 'not_team_owner');
  }
}

/** Thrown when somebody gives a role, or changes somebody of a role, above the own one. */
export class RoleAboveOwnError extends PermissionError {
  constructor(role: Role) {
    super(`You cannot give, change or take away the role ${role}: it is above your own.`, 'role_above_own');
  }
}

/** Thrown when a person is no member of a team. */
export class MemberNotFoundError extends NotFoundError {
  constructor(userId: string) {
    super('member', userId);
  }
}

/** Thrown when somebody is added who is in the team already. */
export class AlreadyMemberError extends ConflictError {
  constructor() {
    super('already_member', 'This person is in the team already.');
  }
}

/** Thrown when the only owner of a team would leave or be lowered. */
export class LastOwnerError extends ConflictError {
  constructor() {
    super('last_owner', 'A team needs an owner: make somebody else one first.');
  }
}

/** Thrown when somebody would be left without any team. */
export class LastTeamError extends ConflictError {
  constructor() {
    super('last_team', 'This is the only team that you are in; make another one first.');
  }
}

/** Thrown when a team is to be deleted while executions in its projects have not ended. */
export class TeamBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'team_has_running_executions',
      `${running === 1 ? '1 execution of this team has' : `${running} executions of this team have`} not ended; wait until then, or delete with ?cancel=true.`,
      { running },
    );
  }
}

/** Thrown when a team was changed by somebody else in the same moment. */
export class TeamChangedError extends ConflictError {
  constructor() {
    super('team_changed', 'The team was changed in the same moment; read it again and repeat the change.');
  }
}

/** Thrown when a member was changed by somebody else in the same moment. */
export class MemberChangedError extends ConflictError {
  constructor() {
    super(
      'member_changed',
      'The member was changed in the same moment; read it again and repeat the change.',
    );
  }
}

/** Thrown when the caller's own role was changed by somebody else in the same moment. */
export class OwnRoleChangedError extends ConflictError {
  constructor() {
    super('own_role_changed', 'Your own role was changed in the same moment; try again.');
  }
}

/** Thrown when there is no open invitation of an id in a team. */
export class InvitationNotFoundError extends NotFoundError {
  constructor(id?: string) {
    super('invitation', id);
  }
}
