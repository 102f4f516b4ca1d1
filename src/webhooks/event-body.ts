import type { WebhookFormat } from './webhook.js';

export interface EventBody {
  readonly contentType: string;
  readonly body: string;
}

export interface BodySource {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly project_id: string;
  readonly execution_id: string | null;
}

/**
 * Returns the request body for an event, in the format of the webhook.
 * @param text JSON of the event's envelope
 */
export async function eventBody(
  format: WebhookFormat,
  envelope: BodySource,
  text: string,
): Promise<EventBody> {
  if (format === 'envelope') return { contentType: 'application/json', body: text };
  const { CloudEvent, HTTP } = await import('cloudevents');
  const event = new CloudEvent({
    id: envelope.id,
    type: envelope.type,
    source: `/projects/${envelope.project_id}`,
    time: envelope.created_at,
    datacontenttype: 'application/json',
    ...(envelope.execution_id === null ? {} : { subject: envelope.execution_id }),
    data: JSON.parse(text) as object,
  });
  const { headers, body } = HTTP.structured(event);
  return { contentType: String(headers['content-type']), body: String(body) };
}
