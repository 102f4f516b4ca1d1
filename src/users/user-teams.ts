import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Role } from '../access/index.js';

/** A team of a person. */
export interface TeamOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Port to the teams of people. */
export interface UserTeamsAdapter {
  /** The teams of a person; the team joined first comes first. */
  of(userId: string): Promise<readonly TeamOfUser[]>;
}

@Injectable()
export class UserTeams extends Port<UserTeamsAdapter> {}
