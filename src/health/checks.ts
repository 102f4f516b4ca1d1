/** A dependency, and whether it responded in time. */
export interface Checks {
  readonly database: 'up' | 'down';
  readonly queue: 'up' | 'down';
  /** Only if it is used. The service works without it. */
  readonly redis?: 'up' | 'down';
}
