export interface Service {
  /** Returns the URL of the server. It is called for every request, because a restarted server may have another URL. */
  readonly url: () => string;
  readonly key: string;
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly total: number; readonly has_more: boolean };
}

/** Number of nodes in the workflow. An execution has two events for each node. */
const NODES = 8;
/**
 * Number of events of an execution: queued, started, completed, and two for each node. A restart of the server may add
 * events.
 */
export const EVENTS_EACH = 3 + 2 * NODES;

export async function createWorkload(service: Service): Promise<string> {
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    id: `n${index}`,
    type: 'set',
    ...(index === 0 ? {} : { needs: [`n${index - 1}`] }),
    with: { value: '{{ input.text }}' },
  }));
  const created = await call<{ readonly id: string }>(service, 'POST', '/v1/workflows', {
    name: 'proof of the event stream',
    nodes,
  });
  return created.id;
}

/**
 * Starts an execution. Repeats the request until the server accepts it, because the server may be restarting.
 * @returns the id of the execution
 * @throws RefusedError if the server returns status 4xx
 */
export async function startExecution(service: Service, workflowId: string, text: string): Promise<string> {
  for (;;) {
    try {
      const started = await call<{ readonly id: string }>(
        service,
        'POST',
        `/v1/workflows/${workflowId}/executions`,
        {
          input: { text },
        },
      );
      return started.id;
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * Waits until all executions have completed, and reads their events.
 * @returns the event ids of each execution, in the order of their sequence numbers
 * @throws Error if an execution ends without completing
 */
export async function journalOf(
  service: Service,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const journal = new Map<string, readonly string[]>();
  for (const id of executionIds) {
    await ended(service, id);
    const { data } = await call<Listed>(service, 'GET', `/v1/executions/${id}/events?limit=100`);
    journal.set(
      id,
      data.map((event) => event.id),
    );
  }
  return journal;
}

async function ended(service: Service, id: string): Promise<void> {
  for (;;) {
    const { status } = await call<{ readonly status: string }>(service, 'GET', `/v1/executions/${id}`);
    if (status === 'completed') return;
    if (['failed', 'cancelled', 'timed_out'].includes(status))
      throw new Error(`The execution ${id} is ${status}, not completed.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Thrown when a response has status 4xx. The request is not repeated, because the server would refuse it again. */
class RefusedError extends Error {}

async function call<T>({ url, key }: Service, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url() + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${method} ${path} returned ${response.status}`);
  if (!response.ok) throw new RefusedError(`${method} ${path} returned ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
