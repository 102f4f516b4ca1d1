import type { NodeDefinition } from '../../src/engine/index.js';

/** The workflow that the demo runs: six nodes in two branches, with a retry and a wait. */
export interface DemoWorkflow {
  readonly name: string;
  readonly nodes: readonly NodeDefinition[];
}

/** Factor by which all delays of the demo are multiplied. It is 3 if a person watches, and 1 otherwise. */
export type Pace = 1 | 3;

/** Id of the node that waits. With the option `--kill`, the demo kills the server while this node waits. */
export const WAITING_NODE = 'cool_off';

/**
 * @param shopPort port of the loopback server that the workflow calls
 */
export function demoWorkflow(shopPort: number, pace: Pace): DemoWorkflow {
  const shop = `http://127.0.0.1:${shopPort}`;
  return {
    name: 'Demonstration: an order',
    nodes: [
      {
        id: 'order',
        type: 'http',
        with: { url: `${shop}/orders/{{ input.order_id }}` },
        retry: { max_attempts: 3, backoff: 'fixed', initial_delay_ms: 800 * pace, jitter: false },
      },
      { id: WAITING_NODE, type: 'delay', needs: ['order'], with: { seconds: 2.5 * pace } },
      { id: 'price', type: 'http', with: { url: `${shop}/prices/{{ nodes.order.output.body.sku }}` } },
      {
        id: 'stock',
        type: 'http',
        needs: [WAITING_NODE],
        with: { url: `${shop}/stock/{{ nodes.order.output.body.sku }}` },
      },
      {
        id: 'total',
        type: 'set',
        with: { value: '{{ nodes.price.output.body.unit_price * nodes.order.output.body.quantity }}' },
      },
      {
        id: 'receipt',
        type: 'set',
        with: {
          value: {
            order_id: '{{ input.order_id }}',
            total: '{{ nodes.total.output }}',
            deliverable: '{{ nodes.stock.output.body.in_stock >= nodes.order.output.body.quantity }}',
          },
        },
      },
    ],
  };
}
