import { ValidationError } from '../errors/index.js';
import { ExpressionSyntaxError } from '../expressions/index.js';
import { defined } from '../platform/index.js';
import { compileFilter, isEventPattern } from './event-selection.js';
import type { EventSinks } from '../event-sinks/index.js';
import type { ChangeWebhookBody } from './webhook.dto.js';
import type { Webhook } from './webhook.js';

export type WebhookInput = Partial<
  Pick<Webhook, 'url' | 'description' | 'events' | 'workflowIds' | 'filter' | 'format'>
>;

/** @throws ValidationError for a URL that the service may not call, an unknown event type, or an invalid filter */
export function webhookInput(
  body: ChangeWebhookBody,
  sinks: Pick<EventSinks, 'of' | 'schemes'>,
): WebhookInput {
  if (body.url !== undefined) requireUrl(body.url, sinks);
  for (const [index, pattern] of (body.events ?? []).entries())
    if (!isEventPattern(pattern))
      throw ValidationError.of(
        `events[${index}]`,
        'unknown_event_type',
        'must be an event type, or workflow.* or workflow.node.*',
      );
  if (typeof body.filter === 'string') requireFilter(body.filter);
  return defined({
    url: body.url,
    description: body.description,
    events: body.events,
    workflowIds: body.workflow_ids?.map((id) => id.toLowerCase()) ?? body.workflow_ids,
    filter: body.filter,
    format: body.format,
  });
}

function requireUrl(text: string, sinks: Pick<EventSinks, 'of' | 'schemes'>): void {
  const url = URL.parse(text);
  if (url === null) throw ValidationError.of('url', 'malformed_url', 'must be an absolute URL');
  const sink = sinks.of(url);
  if (sink === undefined)
    throw ValidationError.of('url', 'unknown_scheme', `must begin with ${sinks.schemes.join(':// or ')}://`);
  const fault = sink.check(url);
  if (fault !== null) throw ValidationError.of('url', 'forbidden_url', fault);
}

function requireFilter(source: string): void {
  try {
    compileFilter(source);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw ValidationError.of('filter', error.code, error.message);
  }
}
