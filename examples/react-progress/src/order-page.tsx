import { type ReactNode, useState } from 'react';
import { type Order, useProgress } from './use-progress.ts';

export function OrderPage(): ReactNode {
  const [order, setOrder] = useState<Order | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { events, connection, error } = useProgress(order);

  async function placeOrder(): Promise<void> {
    setFailure(null);
    const response = await fetch('/api/orders', { method: 'POST' });
    const body = (await response.json()) as Order & { readonly message?: string };
    if (response.ok) setOrder(body);
    else setFailure(body.message ?? 'The order could not be placed.');
  }

  const statusOf = (id: string): string =>
    events.findLast((event) => event.node_id === id)?.data.status ?? 'pending';
  const done = order?.steps.filter(({ id }) => statusOf(id) === 'completed').length ?? 0;
  const last = events.findLast((event) => event.node_id === null);
  return (
    <main>
      <h1>Order progress</h1>
      <button type="button" onClick={() => void placeOrder()}>
        Place order
      </button>
      {failure !== null && <p role="alert">{failure}</p>}
      {order !== null && (
        <section aria-label="Progress">
          <p>
            <progress max={order.steps.length} value={done} /> {done} of {order.steps.length}
          </p>
          <ol>
            {order.steps.map(({ id }) => (
              <li key={id}>
                {id}: {statusOf(id)}
              </li>
            ))}
          </ol>
          <p role="status">
            Order {last?.data.status ?? 'sent'}. Events: {events.length}. Connection: {connection}.
          </p>
          {error !== null && <p role="alert">{error}</p>}
        </section>
      )}
    </main>
  );
}
