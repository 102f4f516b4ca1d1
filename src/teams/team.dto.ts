import { type Role, ROLES } from '../access/index.js';
import { Choice, OptionalChoice, OptionalId, OptionalText, Text } from '../fields/index.js';
import { MAX_EMAIL_LENGTH } from '../users/index.js';
import { MAX_TEAM_NAME_LENGTH } from './team.js';

/**
 * Body of a request that creates a team. The body cannot set a rate-limit plan, because only the operator of the
 * installation assigns plans.
 */
export class TeamBody {
  @Text({ minLength: 1, maxLength: MAX_TEAM_NAME_LENGTH, example: 'Payments' })
  name: string;
}

/** The fields of a team that a client can change. Omitted fields keep their values. */
export class ChangeTeamBody {
  @OptionalText({ minLength: 1, maxLength: MAX_TEAM_NAME_LENGTH, example: 'Payments' })
  name?: string;

  /**
   * Name of a rate-limit plan. Only the owner of the installation can set the plan of a team, with a key with the scope
   * `*` or in the dashboard.
   */
  @OptionalText({ minLength: 1, maxLength: 64, example: 'pro' })
  plan?: string;
}

/** The person to invite: an email address or, for a person with whom you share another team, a user id. */
export class AddMemberBody {
  @OptionalText({ maxLength: MAX_EMAIL_LENGTH, format: 'email', example: 'grace@example.com' })
  email?: string;

  @OptionalId()
  user_id?: string;

  /** Role of the new member. The role cannot be higher than your own role. */
  @Choice({ enum: ROLES, example: 'member' })
  role: Role;
}

export class ChangeMemberBody {
  /** New role of the member. The role cannot be higher than your own role. */
  @Choice({ enum: ROLES, example: 'viewer' })
  role: Role;
}

export class DeleteTeamQuery {
  /**
   * With `true`, the deletion cancels unfinished executions of the team, which requires `executions:write`. Otherwise,
   * unfinished executions prevent the deletion.
   */
  @OptionalChoice({ enum: ['true', 'false'], default: 'false' })
  cancel?: 'true' | 'false';
}
