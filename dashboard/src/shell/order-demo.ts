import { texts } from '../texts/en/workflows.ts';
import type { Template } from '../pages/workflows/templates.ts';

/** Tag by which the dashboard finds the workflow of the order demo. */
export const ORDER_DEMO_TAG = 'order-demo';

/** The workflow of the command `npm run demo`, with code nodes instead of HTTP requests to a local server. */
export const ORDER_DEMO: Template = {
  id: 'order-demo',
  title: texts.orderDemo,
  description: texts.orderDemoInSixNodes,
  body: {
    description: texts.pricesAnOrder,
    tags: [ORDER_DEMO_TAG],
    input_schema: {
      type: 'object',
      required: ['order_id'],
      properties: { order_id: { type: 'string', title: texts.orderNumber, default: '4711' } },
    },
    nodes: [
      {
        id: 'order',
        type: 'code',
        with: {
          source: "console.log('Reading the order');\nreturn { id: input, sku: 'lamp', quantity: 3 };",
          input: '{{ input.order_id }}',
        },
      },
      { id: 'cool_off', type: 'delay', needs: ['order'], with: { seconds: 2.5 } },
      {
        id: 'price',
        type: 'code',
        with: {
          source: 'return { sku: input, unit_price: 19.5 };',
          input: '{{ nodes.order.output.sku }}',
        },
      },
      {
        id: 'stock',
        type: 'code',
        needs: ['cool_off'],
        with: { source: 'return { sku: input, in_stock: 12 };', input: '{{ nodes.order.output.sku }}' },
      },
      {
        id: 'total',
        type: 'set',
        with: { value: '{{ nodes.price.output.unit_price * nodes.order.output.quantity }}' },
      },
      {
        id: 'receipt',
        type: 'set',
        with: {
          value: {
            order_id: '{{ input.order_id }}',
            total: '{{ nodes.total.output }}',
            deliverable: '{{ nodes.stock.output.in_stock >= nodes.order.output.quantity }}',
          },
        },
      },
    ],
  },
};
