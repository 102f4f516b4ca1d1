import { hash } from 'node:crypto';
import type { Role } from '../access/index.js';
import type { User } from '../users/index.js';
import type { Team } from './team.js';

export interface Invitation {
  readonly id: string;
  readonly teamId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface ReceivedInvitation {
  readonly invitation: Invitation;
  readonly team: Team;
  readonly inviter: User;
}

/** Lifetime of an invitation in days. */
export const INVITATION_DAYS = 7;

/**
 * Returns the SHA-256 hash of an invitation's token, in hexadecimal. A slow password hash is unnecessary, because the
 * token is random.
 */
export function hashOfInvitationToken(token: string): string {
  return hash('sha256', token, 'hex');
}
