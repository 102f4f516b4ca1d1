import { type ConnectionState, type TypedEvent, watchExecution } from '@workflow-service/client';
import { useEffect, useState } from 'react';

/** Response of the backend to a new order. */
export interface Order {
  readonly serviceUrl: string;
  readonly token: string;
  readonly steps: readonly { readonly id: string }[];
}

export interface Progress {
  readonly events: readonly TypedEvent[];
  readonly connection: ConnectionState['state'] | 'ended';
  readonly error: string | null;
}

const NOTHING: Progress = { events: [], connection: 'disconnected', error: null };

/** The events of an order's execution as they happen, through lost connections and restarts of the service. */
export function useProgress(order: Order | null): Progress {
  const [progress, setProgress] = useState(NOTHING);
  useEffect(() => {
    if (order === null) return undefined;
    const stopped = new AbortController();
    const update = (change: (before: Progress) => Partial<Progress>): void => {
      if (!stopped.signal.aborted) setProgress((before) => ({ ...before, ...change(before) }));
    };
    const watch = async (): Promise<void> => {
      setProgress(NOTHING);
      const options = { baseUrl: order.serviceUrl, token: order.token, signal: stopped.signal };
      const onConnection = ({ state: connection }: ConnectionState): void => update(() => ({ connection }));
      for await (const event of watchExecution({ ...options, onConnection }))
        update(({ events }) => ({ events: [...events, event] }));
      update(() => ({ connection: 'ended' }));
    };
    watch().catch((error: unknown) => update(() => ({ connection: 'ended', error: String(error) })));
    return () => stopped.abort();
  }, [order]);
  return progress;
}
