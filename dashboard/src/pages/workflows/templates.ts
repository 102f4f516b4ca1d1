import type { CreateWorkflowBody } from '../../api/index.ts';

/** A starting point for a new workflow. */
export interface Template {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly body: Omit<CreateWorkflowBody, 'name'>;
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'greeting',
    title: 'Greeting',
    description: 'Two steps that say hello. It runs anywhere.',
    body: {
      description: 'Says hello.',
      input_schema: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: 'Name', minLength: 2, default: 'Ada' },
          loud: { type: 'boolean', title: 'Loud', default: false },
        },
      },
      nodes: [
        { id: 'greet', name: 'Greet', type: 'set', with: { value: 'Hello {{ input.name }}' } },
        {
          id: 'shout',
          name: 'Shout',
          type: 'set',
          if: 'input.loud',
          with: { value: '{{ nodes.greet.output + "!" }}' },
        },
      ],
      output: { greeting: '{{ nodes.greet.output }}' },
    },
  },
  {
    id: 'http',
    title: 'HTTP call with retries',
    description: 'Calls an address that may fail, again and again, then goes on.',
    body: {
      description: 'Calls an address, up to five times.',
      input_schema: {
        type: 'object',
        required: ['url'],
        properties: {
          url: { type: 'string', title: 'Address', default: 'https://example.com/', format: 'uri' },
        },
      },
      nodes: [
        {
          id: 'call',
          name: 'Call',
          type: 'http',
          with: { method: 'GET', url: '{{ input.url }}' },
          timeout_seconds: 10,
          retry: { max_attempts: 5, backoff: 'exponential', initial_delay_ms: 500, max_delay_ms: 8000 },
        },
        {
          id: 'answered',
          name: 'Keep the status',
          type: 'set',
          with: { value: '{{ nodes.call.output.status }}' },
        },
      ],
    },
  },
  {
    id: 'approval',
    title: 'Approval',
    description: 'Waits until somebody approves, then does it.',
    body: {
      description: 'Waits for somebody to decide.',
      config: { timeout_seconds: 300, timeout_counts: 'active' },
      input_schema: {
        type: 'object',
        required: ['who', 'amount'],
        properties: {
          who: { type: 'string', title: 'Who asks' },
          amount: { type: 'number', title: 'Amount', minimum: 0 },
        },
      },
      nodes: [
        {
          id: 'decision',
          name: 'Ask for approval',
          type: 'wait',
          with: {
            signal: 'decision',
            timeout_seconds: 604_800,
            remind_every_seconds: 86_400,
            approval: { title: 'Expense of {{ input.who }}', description: '{{ input.amount }} to be paid.' },
          },
        },
        {
          id: 'booked',
          name: 'Book it',
          type: 'set',
          if: 'nodes.decision.output.approved',
          with: { value: { paid: '{{ input.amount }}' } },
        },
      ],
    },
  },
  {
    id: 'empty',
    title: 'Empty',
    description: 'Opens the builder. Nothing is saved until you save it there.',
    body: { status: 'draft' },
  },
];

/** The templates whose node types this service has. */
export function templatesFor(types: ReadonlySet<string>): readonly Template[] {
  return TEMPLATES.filter(({ body }) => (body.nodes ?? []).every(({ type }) => types.has(type)));
}
