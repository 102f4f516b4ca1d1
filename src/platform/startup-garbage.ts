/**
 * Frees memory that only the start needed, a third of the process. An idle process would keep it: V8 collects on
 * allocation. A runtime built without an inspector keeps it.
 */
export async function collectStartupGarbage(): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
  } catch {
    // Failing to free memory is not an error.
  }
}
