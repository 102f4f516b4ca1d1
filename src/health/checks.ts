/** What was asked and whether it answered in time. */
export interface Checks {
  readonly database: 'up' | 'down';
  readonly queue: 'up' | 'down';
  /** Only where it is used. While it is down, the service goes on without it. */
  readonly redis?: 'up' | 'down';
}
