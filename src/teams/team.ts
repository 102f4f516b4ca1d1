import type { Role } from '../access/index.js';

/** People who work together and share a rate limit. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** Name of the rate-limit plan that applies. */
  readonly plan: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Membership of a person in a team, with the person's role. */
export interface Membership {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: string;
}

/** Maximum length of a team's name. */
export const MAX_TEAM_NAME_LENGTH = 255;
