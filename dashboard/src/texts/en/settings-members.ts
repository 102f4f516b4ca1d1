import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

export const texts = {
  linkTitle: 'Share this link',
  linkHint: (email: string) =>
    `${email} can join the team with this link. The link works once, expires after seven days, and is shown only now. People with an account can also accept the invitation in the dashboard.`,
  done: 'Done',
  invitationLink: 'Invitation link',
  inviteMember: 'Invite member',
  inviteHint:
    'You get a link to share. The person opens the link to join the team. People with an account can also accept the invitation in the dashboard.',
  invite: 'Invite',
  email: 'Email',
  emailMissing: 'Enter the email address of the person to invite.',
  name: 'Name',
  role: 'Role',
  joined: 'Joined',
  members: 'Members',
  memberNoun: ['member', 'members'] satisfies readonly [string, string],
  noMembersInThisTeam: 'No members in this team',
  roleChanged: 'Role changed',
  leaveQuestion: 'Leave the team?',
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeHint: (email: string) =>
    `The API keys of ${email} in this team are deleted immediately. This cannot be undone.`,
  leaveTeam: 'Leave team',
  removeMember: 'Remove member',
  memberRemoved: 'Member removed',
  changeRoleOf: (name: string) => `Change the role of ${name}`,
  roleHint:
    'The role applies to this member and to the API keys of this member. Changes take effect within a second.',
  saveRole: 'Save role',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  changeRole: 'Change role',
  remove: 'Remove',
  invitationWithdrawn: 'Invitation withdrawn',
  openInvitations: 'Open invitations',
  invitedAs: (role: string, expiry: ReactNode) => rich`Invited as ${role}, expires ${expiry}`,
  withdraw: 'Withdraw',
  withdrawInvitationOf: (email: string) => `Withdraw the invitation of ${email}`,
  viewer: 'Viewer',
  member: 'Member',
  admin: 'Admin',
  owner: 'Owner',
};
