import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Role } from '../access/index.js';

/** A team that a person is in. */
export interface TeamOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** What users ask about teams. */
export interface UserTeamsAdapter {
  /** The teams that a person is in, the earliest joined first. */
  of(userId: string): Promise<readonly TeamOfUser[]>;
}

@Injectable()
export class UserTeams extends Port<UserTeamsAdapter> {}
