import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

const SPECIAL: Readonly<Record<string, string>> = {
  'sign_in.created': 'Signed in',
  'sign_in.deleted': 'Signed out',
  'key.created': 'API key created',
  'key.deleted': 'API key deleted',
};

const KINDS: Readonly<Record<string, string>> = {
  key: 'API key',
  sign_in: 'sign-in',
  set_up_link: 'set-up link',
};

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const texts = {
  action: 'Action',
  target: 'Target',
  theTarget: (type: string) => `the ${type}`,
  actor: 'Actor',
  theKey: 'the key',
  theUser: 'the user',
  theService: 'The service',
  unknown: 'Unknown',
  from: 'From',
  when: 'When',
  nameFilter: 'Name or ID',
  actionFilter: 'Action code',
  /** Converts the name of an action to words: `member.role_changed` becomes `Member role changed`. */
  actionWords: (action: string) => SPECIAL[action] ?? capital(action.replace(/[._]/g, ' ')),
  actionCode: (code: ReactNode) => rich`Action ${code}`,
  kind: (type: string) => KINDS[type] ?? type.replaceAll('_', ' '),
  kindAlone: (kind: string) => capital(kind),
  targetWithId: (id: ReactNode) => rich`Target ${id}`,
  person: 'person',
  apiKey: 'API key',
  auditLog: 'Audit log',
  entryNoun: ['entry', 'entries'] satisfies readonly [string, string],
  empty: 'No changes or refused requests yet',
  before: 'Before',
  beforeData: 'before',
  after: 'After',
  afterData: 'after',
  refusedRequests: 'Refused requests',
  refusedRequestsData: 'refused requests',
  theRequest: 'the request',
  requestWithId: (id: ReactNode) => rich`Request ${id}`,
  change: 'Change',
  show: 'Show',
  requestRefused: 'Request refused',
  apiKeyRefused: 'API key refused',
  signInFailed: 'Sign-in failed',
  tokenExchangeRefused: 'Token exchange refused',
  invitationLinkRefused: 'Invitation link refused',
  setUpLinkRefused: 'Set-up link refused',
  furtherRefusals: 'More requests refused',
  times: (count: number) => `${count} times`,
};
