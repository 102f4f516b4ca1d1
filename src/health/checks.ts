/** The result of a check: whether each dependency of the service responded in time. */
export interface Checks {
  readonly database: 'up' | 'down';
  readonly queue: 'up' | 'down';
  /** Absent if Redis is not used. The service works without Redis. */
  readonly redis?: 'up' | 'down';
}
