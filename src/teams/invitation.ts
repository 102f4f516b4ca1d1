import { hash } from 'node:crypto';
import type { Role } from '../access/index.js';
import type { User } from '../users/index.js';
import type { Team } from './team.js';

/** An offer to join a team. */
export interface Invitation {
  readonly id: string;
  readonly teamId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** An invitation with the details that the invited person may see. */
export interface ReceivedInvitation {
  readonly invitation: Invitation;
  readonly team: Team;
  readonly inviter: User;
}

/** Lifetime of an invitation. */
export const INVITATION_DAYS = 7;

/** The stored form of the token in a link: its SHA-256 in hex. Tokens are random, so no slow hash is needed. */
export function hashOfInvitationToken(token: string): string {
  return hash('sha256', token, 'hex');
}
