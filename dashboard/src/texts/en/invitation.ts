import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

export const texts = {
  invalidTitle: 'This invitation is no longer valid',
  linkMissingTitle: 'Open your invitation link',
  invalidHint:
    'Invitation links work once and expire after seven days. Ask the person who invited you for a new link, or sign in if you already joined.',
  signIn: 'Sign in',
  invitation: 'Invitation',
  loadingInvitation: 'Loading the invitation…',
  couldNotLoad: "Couldn't load the invitation.",
  joinTeam: (name: string) => `Join ${name}`,
  invitedBy: (inviter: string, inviterEmail: string, email: ReactNode, team: string, role: string) =>
    rich`${inviter} (${inviterEmail}) invites ${email} to the team ${team} as ${role}.`,
  otherAccount: (current: string, invited: string) =>
    `You are signed in as ${current}. If you accept, you are signed in as ${invited} instead.`,
  notJoined: 'You have not joined the team.',
  credentialsHint:
    'Choose a name and a password for your account. If you already have an account, enter its password.',
  name: 'Name',
  password: 'Password',
  join: 'Join',
};
