import type { AuditEntryView } from '../../../api/index.ts';
import { texts } from '../../../texts/en/settings-audit-log.ts';

const LABELS: Readonly<Record<string, string>> = {
  'request.refused': texts.requestRefused,
  'key.refused': texts.apiKeyRefused,
  'sign_in.refused': texts.signInFailed,
  'token.refused': texts.tokenExchangeRefused,
  'invitation.refused': texts.invitationLinkRefused,
  'set_up_link.refused': texts.setUpLinkRefused,
  'refusals.summarized': texts.furtherRefusals,
};

/**
 * Describes an audit log entry about refused requests, such as `Request refused: missing_scope, 19 times`. Undefined
 * for other entries.
 */
export function refusalText({ action, after }: Pick<AuditEntryView, 'action' | 'after'>): string | undefined {
  const label = LABELS[action];
  if (label === undefined) return undefined;
  const { code, count } = { ...after } as { readonly code?: unknown; readonly count?: unknown };
  const times = typeof count === 'number' && count > 1 ? texts.times(count) : '';
  const details = [typeof code === 'string' ? code : '', times].filter((text) => text !== '').join(', ');
  return details === '' ? label : `${label}: ${details}`;
}
