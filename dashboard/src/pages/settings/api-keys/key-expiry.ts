import { instantOfLocal, localText } from '../../../format/index.ts';
import { texts } from '../../../texts/en/settings-api-keys.ts';
const DAY_MS = 24 * 3600 * 1000;
/** An API key that expires in less than 14 days is highlighted in the list. The limit is in milliseconds. */
const SOON_MS = 14 * DAY_MS;

export type ExpiryChoice = '30' | '90' | '365' | 'custom' | 'never';

export const EXPIRY_CHOICES: readonly { readonly value: ExpiryChoice; readonly label: string }[] = [
  { value: '30', label: texts.in30Days },
  { value: '90', label: texts.in90Days },
  { value: '365', label: texts.in365Days },
  { value: 'custom', label: texts.onCustomDay },
  { value: 'never', label: texts.never },
];

/**
 * The expiry of an API key as an ISO timestamp. Null if the key never expires; undefined if `day` is invalid.
 * @param day last day on which the key works, such as `2027-01-31`; used only if `choice` is `custom`
 */
export function expiryOf(choice: ExpiryChoice, day: string, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'custom') return new Date(now + Number(choice) * DAY_MS).toISOString();
  const end = instantOfLocal(`${day}T23:59:59`);
  return end === null ? undefined : new Date(end).toISOString();
}

export type ExpiryState = 'expired' | 'soon' | 'later';

export function expiryState(expiresAt: string | null, now: number): ExpiryState {
  if (expiresAt === null) return 'later';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'soon' : 'later';
}

/** Converts an instant to a day in the time zone of the user, for a date input. */
export function dayOf(instant: string): string {
  return localText(instant).slice(0, 10);
}
