import type { Role } from '../access/index.js';

/** A team that a person is in. */
export interface TeamOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** What users ask about teams. A port, since teams stand above users: that room binds it. */
export abstract class UserTeams {
  /** The teams that a person is in, the earliest joined first. */
  abstract of(userId: string): Promise<readonly TeamOfUser[]>;
}
