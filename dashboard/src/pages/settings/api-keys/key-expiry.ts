const DAY_MS = 24 * 3600 * 1000;
/** Keys that expire sooner than this are highlighted. */
const SOON_MS = 14 * DAY_MS;

export type ExpiryChoice = '30' | '90' | '365' | 'custom' | 'never';

export const EXPIRY_CHOICES: readonly { readonly value: ExpiryChoice; readonly label: string }[] = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'custom', label: 'On a day of your choice' },
  { value: 'never', label: 'Never' },
];

/**
 * The expiry of a key for the service; null for never, undefined if no valid day is given.
 * @param day `2027-01-31`, for a custom day: the key works until its end
 */
export function expiryOf(choice: ExpiryChoice, day: string, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'custom') return new Date(now + Number(choice) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

export type ExpiryState = 'expired' | 'soon' | 'later';

export function expiryState(expiresAt: string | null, now: number): ExpiryState {
  if (expiresAt === null) return 'later';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'soon' : 'later';
}

/** The day of an instant in the user's time zone, in the format of a date input. */
export function dayOf(instant: string): string {
  const date = new Date(instant);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
