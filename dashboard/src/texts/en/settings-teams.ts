import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

export const texts = {
  youJoined: (team: string) => `You joined ${team}`,
  invitationDeclined: 'Invitation declined',
  invitationsToYou: 'Invitations for you',
  invitedAs: (role: string, inviter: string, email: string, expiry: ReactNode) =>
    rich`Invited as ${role} by ${inviter} (${email}), expires ${expiry}`,
  decline: 'Decline',
  declineInvitationTo: (name: string) => `Decline the invitation to ${name}`,
  join: 'Join',
  joinTeam: (name: string) => `Join ${name}`,
  name: 'Name',
  plan: 'Plan',
  yourRole: 'Your role',
  created: 'Created',
  teams: 'Teams',
  teamNoun: ['team', 'teams'] satisfies readonly [string, string],
  purpose: 'A team has its own members, projects, API keys, and limits. Switch teams in the side bar.',
  deleteWarning:
    'The projects, API keys and memberships of the team are deleted with the team. This cannot be undone.',
};
