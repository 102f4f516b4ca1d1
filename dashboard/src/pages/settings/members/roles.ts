import type { MemberView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-members.ts';

export type Role = MemberView['role'];

export const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: texts.viewer },
  { value: 'member', label: texts.member },
  { value: 'admin', label: texts.admin },
  { value: 'owner', label: texts.owner },
];
