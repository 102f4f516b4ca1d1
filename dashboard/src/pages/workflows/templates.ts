import type { CreateWorkflowBody } from '../../api/index.ts';
import { texts } from '../../texts/en/workflows.ts';

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly body: Omit<CreateWorkflowBody, 'name'>;
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'greeting',
    title: texts.greeting,
    description: texts.greetingHint,
    body: {
      description: texts.greetingDescription,
      input_schema: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', title: texts.name, minLength: 2, default: texts.ada },
          loud: { type: 'boolean', title: texts.loud, default: false },
        },
      },
      nodes: [
        { id: 'greet', name: texts.greet, type: 'set', with: { value: texts.greetingValue } },
        {
          id: 'shout',
          name: texts.shout,
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
    title: texts.httpCallWithRetries,
    description: texts.httpHint,
    body: {
      description: texts.httpDescription,
      input_schema: {
        type: 'object',
        required: ['url'],
        properties: {
          url: { type: 'string', title: texts.urlField, default: 'https://example.com/', format: 'uri' },
        },
      },
      nodes: [
        {
          id: 'call',
          name: texts.call,
          type: 'http',
          with: { method: 'GET', url: '{{ input.url }}' },
          timeout_seconds: 10,
          retry: { max_attempts: 5, backoff: 'exponential', initial_delay_ms: 500, max_delay_ms: 8000 },
        },
        {
          id: 'answered',
          name: texts.keepStatus,
          type: 'set',
          with: { value: '{{ nodes.call.output.status }}' },
        },
      ],
    },
  },
  {
    id: 'approval',
    title: texts.approval,
    description: texts.approvalHint,
    body: {
      description: texts.approvalDescription,
      config: { timeout_seconds: 300, timeout_counts: 'active' },
      input_schema: {
        type: 'object',
        required: ['who', 'amount'],
        properties: {
          who: { type: 'string', title: texts.requesterField },
          amount: { type: 'number', title: texts.amount, minimum: 0 },
        },
      },
      nodes: [
        {
          id: 'decision',
          name: texts.askForApproval,
          type: 'wait',
          with: {
            signal: 'decision',
            timeout_seconds: 604_800,
            remind_every_seconds: 86_400,
            approval: { title: texts.approvalTitle, description: texts.approvalMessage },
          },
        },
        {
          id: 'booked',
          name: texts.bookIt,
          type: 'set',
          if: 'nodes.decision.output.approved',
          with: { value: { paid: '{{ input.amount }}' } },
        },
      ],
    },
  },
  {
    id: 'empty',
    title: texts.empty,
    description: texts.emptyHint,
    body: { status: 'draft' },
  },
];

/** The templates that use only installed node types. */
export function templatesFor(
  types: ReadonlySet<string>,
  templates: readonly Template[],
): readonly Template[] {
  return templates.filter(({ body }) => (body.nodes ?? []).every(({ type }) => types.has(type)));
}
