const FIRST_MS = 500;
const STEP_MS = 100;
const STEPS = 25;

/**
 * Milliseconds after which the client with this index should reconnect. The delays differ, so that not all clients
 * reconnect at the same time.
 */
export function reconnectDelay(index: number): number {
  return FIRST_MS + (index % STEPS) * STEP_MS;
}
