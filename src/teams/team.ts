import type { Role } from '../access/index.js';

/** A group of users who work together and share a rate limit. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** Name of the team's rate-limit plan. */
  readonly plan: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Membership {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: string;
}

export const MAX_TEAM_NAME_LENGTH = 255;
