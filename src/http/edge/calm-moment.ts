/** Maximum duration of a short turn of the event loop. */
const SHORT_MS = 2;

/** Consecutive turns without activity: a turn accepts one connection, however many wait. */
const CALM_TURNS = 3;

/** Required time without activity, because a client that just got a response may open another connection. */
const CALM_MS = 25;

/** After this long, turns without activity suffice. */
const PATIENCE_MS = 1_000;

/** After this long, any moment is accepted. */
const LIMIT_MS = 3_000;

/**
 * Resolves right after a short turn of the event loop without new connections, when a new one is unlikely.
 * @param activity number of accepted connections and sent responses so far
 */
export async function calmMoment(activity: () => number): Promise<void> {
  const start = performance.now();
  let [before, known, calmSince, calmTurns] = [start, activity(), start, 0];
  for (;;) {
    // Resolves after pending work was handled, including a new connection.
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (activity() === known) calmTurns += 1;
    else [known, calmSince, calmTurns] = [activity(), now, 0];
    const isLate = now - start >= PATIENCE_MS;
    const isCalm = calmTurns >= CALM_TURNS && (isLate || now - calmSince >= CALM_MS);
    if ((isCalm && (isLate || now - before < SHORT_MS)) || now - start >= LIMIT_MS) return;
    before = now;
  }
}
