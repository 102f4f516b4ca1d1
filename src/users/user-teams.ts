import { Injectable } from '@nestjs/common';
import { Port } from '../platform/index.js';
import type { Role } from '../access/index.js';

export interface TeamOfUser {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export interface UserTeamsAdapter {
  of(userId: string): Promise<readonly TeamOfUser[]>;
}

@Injectable()
export class UserTeams extends Port<UserTeamsAdapter> {}
