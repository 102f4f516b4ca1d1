import type { Role } from '../access/index.js';

/** People who work together and share a rate limit. */
export interface Team {
  readonly id: string;
  readonly name: string;
  /** Name of the rate-limit plan in force. */
  readonly plan: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What a person is in a team. */
export interface Membership {
  readonly teamId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: string;
}

/** Longest name of a team. */
export const MAX_TEAM_NAME_LENGTH = 255;

/** Plan of a team that was given none, by the catalogue of plans in use. */
const CATALOGUE_DEFAULTS = { tiered: 'free', standard: 'standard' } as const;

/** The plan of teams that were given none. */
export function defaultPlan(settings: {
  readonly DEFAULT_PLAN?: string | undefined;
  readonly RATE_LIMIT_CATALOG: keyof typeof CATALOGUE_DEFAULTS;
}): string {
  return settings.DEFAULT_PLAN ?? CATALOGUE_DEFAULTS[settings.RATE_LIMIT_CATALOG];
}
