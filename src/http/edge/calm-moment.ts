/**
 * An event loop iteration shorter than this number of milliseconds shows that the process had no other work
 * waiting.
 */
const SHORT_MS = 2;

/**
 * Number of consecutive event loop iterations without HTTP activity that count as calm. Node.js accepts only one
 * waiting connection in each iteration, so one calm iteration proves little.
 */
const CALM_TURNS = 3;

/**
 * Milliseconds without HTTP activity before a moment counts as calm. Clients often open their next connection
 * soon after a response.
 */
const CALM_MS = 25;

/**
 * After waiting for this number of milliseconds, `CALM_TURNS` iterations without HTTP activity suffice. The
 * other two conditions, `CALM_MS` and `SHORT_MS`, then no longer apply.
 */
const MAX_CALM_WAIT_MS = 1_000;

const LIMIT_MS = 3_000;

/**
 * Waits for a moment without HTTP traffic, in which a new connection is unlikely. Resolves after at most 3 s, even if
 * traffic continues.
 * @param activity returns the number of accepted connections and sent responses so far
 */
export async function calmMoment(activity: () => number): Promise<void> {
  const start = performance.now();
  let [before, known, calmSince, calmTurns] = [start, activity(), start, 0];
  for (;;) {
    // Lets one iteration of the event loop finish, which may accept a waiting connection.
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (activity() === known) calmTurns += 1;
    else [known, calmSince, calmTurns] = [activity(), now, 0];
    const isLate = now - start >= MAX_CALM_WAIT_MS;
    const isCalm = calmTurns >= CALM_TURNS && (isLate || now - calmSince >= CALM_MS);
    if ((isCalm && (isLate || now - before < SHORT_MS)) || now - start >= LIMIT_MS) return;
    before = now;
  }
}
