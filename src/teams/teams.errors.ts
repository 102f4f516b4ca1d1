import type { Role } from '../access/index.js';
import { ConflictError, NotFoundError, PermissionError } from '../errors/index.js';

export class TeamNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('team', id);
  }
}

/** Thrown when the key of one team is used on another team. */
export class TeamOutOfReachError extends PermissionError {
  constructor(id: string) {
    super(`Your key has no access to the team ${id}.`, 'team_out_of_reach');
  }
}

/** Thrown when a caller who is not the owner of the installation assigns a rate-limit plan. */
export class NotOperatorError extends PermissionError {
  constructor() {
    super(
      'Only the owner of the installation can assign rate-limit plans. Use the dashboard or a key with the scope *.',
      'not_operator',
    );
  }
}

export class NotTeamOwnerError extends PermissionError {
  constructor() {
    super('Only owners can delete a team.', 'not_team_owner');
  }
}

/** Thrown when a caller grants, changes or removes a role above the caller's own role. */
export class RoleAboveOwnError extends PermissionError {
  constructor(role: Role) {
    super(
      `You cannot assign, change or remove the role ${role}, because it is higher than your own.`,
      'role_above_own',
    );
  }
}

export class MemberNotFoundError extends NotFoundError {
  constructor(userId: string) {
    super('member', userId);
  }
}

export class AlreadyMemberError extends ConflictError {
  constructor() {
    super('already_member', 'This user is already a member of the team.');
  }
}

/** Thrown when a change would leave a team without an owner. */
export class LastOwnerError extends ConflictError {
  constructor() {
    super('last_owner', 'A team needs at least one owner. Make another member an owner first.');
  }
}

export class LastTeamError extends ConflictError {
  constructor() {
    super('last_team', 'This is your only team. Create or join another team first.');
  }
}

export class TeamBusyError extends ConflictError {
  constructor(running: number) {
    super(
      'team_has_running_executions',
      `Unfinished executions of this team: ${running}. Wait for their end, or delete the team with ?cancel=true.`,
      { running },
    );
  }
}

export class TeamChangedError extends ConflictError {
  constructor() {
    super(
      'team_changed',
      'The team was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

export class MemberChangedError extends ConflictError {
  constructor() {
    super(
      'member_changed',
      'The member was changed by another request at the same time. Read it again and repeat the change.',
    );
  }
}

export class OwnRoleChangedError extends ConflictError {
  constructor() {
    super('own_role_changed', 'Your own role was changed by another request at the same time. Try again.');
  }
}

export class InvitationNotFoundError extends NotFoundError {
  constructor(id?: string) {
    super('invitation', id);
  }
}
