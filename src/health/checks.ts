export interface Checks {
  readonly database: 'up' | 'down';
  readonly queue: 'up' | 'down';
  /** State of Redis; absent if the service runs without Redis. */
  readonly redis?: 'up' | 'down';
}
