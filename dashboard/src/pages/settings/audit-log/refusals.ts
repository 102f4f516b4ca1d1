import type { AuditEntryView } from '../../../api/index.ts';

const LABELS: Readonly<Record<string, string>> = {
  'request.refused': 'Request refused',
  'key.refused': 'API key refused',
  'sign_in.refused': 'Sign-in failed',
  'token.refused': 'Token exchange refused',
  'invitation.refused': 'Invitation link refused',
  'set_up_link.refused': 'Set-up link refused',
  'refusals.summarized': 'Further refusals',
};

/** A refusal in words: `Request refused: missing_scope, 19 times`; undefined for other entries. */
export function refusalText({ action, after }: Pick<AuditEntryView, 'action' | 'after'>): string | undefined {
  const label = LABELS[action];
  if (label === undefined) return undefined;
  const { code, count } = { ...after } as { readonly code?: unknown; readonly count?: unknown };
  const times = typeof count === 'number' && count > 1 ? `${count} times` : '';
  const details = [typeof code === 'string' ? code : '', times].filter((text) => text !== '').join(', ');
  return details === '' ? label : `${label}: ${details}`;
}
