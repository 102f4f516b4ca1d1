export interface Checks {
  readonly database: 'up' | 'down';
  readonly queue: 'up' | 'down';
  /** Absent without Redis, which is optional. */
  readonly redis?: 'up' | 'down';
}
