import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Role } from '../access/index.js';

export interface TeamOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Port to the teams of people. */
export interface UserTeamsAdapter {
  /** The teams of a person, in the order of joining. */
  of(userId: string): Promise<readonly TeamOfUser[]>;
}

@Injectable()
export class UserTeams extends Port<UserTeamsAdapter> {}
