import type { Json, JournalEvent } from '../engine/index.js';

/** JSON longer than this, in characters, stands in a table of its own and is fetched when it is asked for. */
export const INLINE_LIMIT = 16_384;

/** The fields of an event's data that may be that long. */
export const PAYLOAD_FIELDS = ['input', 'output', 'resumption'] as const;
export type PayloadField = (typeof PAYLOAD_FIELDS)[number];

/** A value kept beside the journal. */
export interface Payload {
  readonly sequence: number;
  readonly field: PayloadField;
  /** JSON text. */
  readonly body: string;
}

/** Where a client reads a payload. */
export function payloadUrl(executionId: string, sequence: number, field: PayloadField): string {
  return `/v1/executions/${executionId}/events/${sequence}/${field}`;
}

/** Takes long values out of an event's data; `<field>_truncated` and `<field>_url` stand in their place. */
export function detach(
  executionId: string,
  sequence: number,
  event: JournalEvent,
): { readonly event: JournalEvent; readonly payloads: readonly Payload[] } {
  const values = event.data as Partial<Record<PayloadField, unknown>>;
  const payloads = PAYLOAD_FIELDS.flatMap((field): readonly Payload[] => {
    const body = values[field] === undefined ? '' : JSON.stringify(values[field]);
    return body.length > INLINE_LIMIT ? [{ sequence, field, body }] : [];
  });
  if (payloads.length === 0) return { event, payloads };
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event.data)) {
    const payload = payloads.find(({ field }) => field === name);
    if (payload === undefined) data[name] = value;
    else {
      data[`${name}_truncated`] = true;
      data[`${name}_url`] = payloadUrl(executionId, sequence, payload.field);
    }
  }
  return { event: { ...event, data } as unknown as JournalEvent, payloads };
}

/** Whether values of an event stand elsewhere. */
export function lacksPayload({ data }: JournalEvent): boolean {
  return PAYLOAD_FIELDS.some((field) => `${field}_truncated` in data);
}

/** Puts a payload back: the event as it was before `detach`. */
export function attach(event: JournalEvent, field: PayloadField, value: Json): JournalEvent {
  const data: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(event.data) as [string, unknown][]) {
    if (name === `${field}_truncated`) data[field] = value;
    else if (name !== `${field}_url`) data[name] = own;
  }
  return { ...event, data } as unknown as JournalEvent;
}
