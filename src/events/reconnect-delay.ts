const FIRST_MS = 500;
const STEP_MS = 100;
const STEPS = 25;

/**
 * Returns the delay in milliseconds after which a client should reconnect. Clients with consecutive indexes get
 * different delays, so that they do not all reconnect at once.
 */
export function reconnectDelay(index: number): number {
  return FIRST_MS + (index % STEPS) * STEP_MS;
}
