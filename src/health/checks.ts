/** What was asked and whether it answered in time. */
export interface Checks {
  readonly database: 'up' | 'down';
  readonly queue: 'up' | 'down';
}
