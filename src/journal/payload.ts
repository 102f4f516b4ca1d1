import { INLINE_LIMIT, LongValue, type LongValuePlace, type RecordedValue } from '../long-values/index.js';
import { type JournalEvent } from '../execution-events/index.js';
import type { Json } from '../expressions/index.js';
import { encodeBody } from './batch.js';

export const PAYLOAD_FIELDS = ['input', 'output', 'resumption'] as const;
export type PayloadField = (typeof PAYLOAD_FIELDS)[number];

export interface Payload {
  readonly sequence: number;
  readonly field: PayloadField;
  /** JSON text of the long value. Empty if the value has pieces or is a copy. */
  readonly body: string;
  /**
   * Pieces of the long value, in order. A piece is a JSON text, or the sequence of an event whose output is inserted.
   */
  readonly pieces: readonly (string | number)[] | null;
  /**
   * Location of a long value in another execution, from which the database copies this value. Null if the value is not
   * a copy.
   */
  readonly copyOf: LongValuePlace | null;
}

export interface StoredEvents {
  readonly slim: readonly JournalEvent[];
  readonly body: string;
  readonly payloads: readonly Payload[];
  readonly bytes: number;
  /** Releases the long values from memory. Must be called after the commit that stores them. */
  readonly markStored: () => void;
}

export function payloadUrl(executionId: string, sequence: number, field: PayloadField): string {
  return `/v1/executions/${executionId}/events/${sequence}/${field}`;
}

export function storedEvents(
  executionId: string,
  firstSequence: number,
  events: readonly JournalEvent[],
): StoredEvents {
  const whole = events.some(holdsLongValue) ? null : encodeBody(events);
  // A body of at most `INLINE_LIMIT` characters cannot contain a long value, so the events need no further check.
  if (whole !== null && whole.length <= INLINE_LIMIT)
    return {
      slim: events,
      body: whole,
      payloads: [],
      bytes: Buffer.byteLength(whole),
      markStored: IGNORE_LONG_VALUE,
    };
  const detaching = new Detaching(executionId);
  const slim = events.map((event, index) => detaching.detach(event, firstSequence + index));
  const body = whole !== null && detaching.payloads.length === 0 ? whole : encodeBody(slim);
  return {
    slim,
    body,
    payloads: detaching.payloads,
    bytes: Buffer.byteLength(body) + detaching.bytes,
    markStored: () => detaching.markStored(),
  };
}

/** Whether an event is the start of a loop whose list of items is stored outside of the event. */
export function lacksItems({ data }: JournalEvent): boolean {
  return 'iterations' in data && 'input_truncated' in data;
}

export function attach(event: JournalEvent, field: PayloadField, value: Json): JournalEvent {
  const data: Record<string, unknown> = {};
  for (const [name, own] of Object.entries(event.data) as [string, unknown][]) {
    if (name === `${field}_truncated`) data[field] = value;
    else if (name !== `${field}_url` && name !== `${field}_bytes`) data[name] = own;
  }
  return { ...event, data } as unknown as JournalEvent;
}

const IGNORE_LONG_VALUE = (): void => undefined;

function holdsLongValue({ data }: JournalEvent): boolean {
  const { input, output, resumption } = data as Partial<Record<PayloadField, unknown>>;
  return input instanceof LongValue || output instanceof LongValue || resumption instanceof LongValue;
}

class Detaching {
  readonly payloads: Payload[] = [];
  bytes = 0;
  private readonly places = new Map<LongValue, LongValuePlace>();

  constructor(private readonly executionId: string) {}

  /** Replaces each long value of an event with `<field>_truncated`, `<field>_url` and `<field>_bytes`. */
  detach(event: JournalEvent, sequence: number): JournalEvent {
    const values = event.data as Partial<Record<PayloadField, RecordedValue>>;
    const sizes = new Map<string, number>();
    for (const field of PAYLOAD_FIELDS) {
      const size = values[field] === undefined ? null : this.take(values[field], sequence, field);
      if (size !== null) sizes.set(field, size);
    }
    if (sizes.size === 0) return event;
    const data: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(event.data)) {
      const size = sizes.get(name);
      if (size === undefined) data[name] = value;
      else {
        data[`${name}_truncated`] = true;
        data[`${name}_url`] = payloadUrl(this.executionId, sequence, name as PayloadField);
        data[`${name}_bytes`] = size;
      }
    }
    return { ...event, data } as unknown as JournalEvent;
  }

  markStored(): void {
    for (const [value, place] of this.places) value.markStored(place);
  }

  /** @returns the size of a long value in bytes; null if the value is short */
  private take(value: RecordedValue, sequence: number, field: PayloadField): number | null {
    const place = { executionId: null, sequence, field };
    if (!(value instanceof LongValue)) {
      const text = JSON.stringify(value);
      return text.length > INLINE_LIMIT ? this.addText(place, text) : null;
    }
    const known = this.sequenceOf(value);
    if (known !== null) return this.addPieces(place, [known], value.size);
    this.places.set(value, place);
    if (value.text !== null) return this.addText(place, value.text);
    if (value.place !== null) {
      this.bytes += value.size;
      this.payloads.push({ sequence, field, body: '', pieces: null, copyOf: value.place });
      return value.size;
    }
    const pieces = (value.pieces ?? []).map((piece) =>
      typeof piece === 'string' ? piece : (this.sequenceOf(piece) ?? piece.text ?? ''),
    );
    return this.addPieces(place, pieces, value.size);
  }

  /**
   * Returns the sequence of an earlier event of the execution that stores the same value; null if no event stores it.
   */
  private sequenceOf(value: LongValue): number | null {
    const place = this.places.get(value) ?? value.place;
    return place?.executionId === null ? place.sequence : null;
  }

  private addText({ sequence, field }: LongValuePlace, body: string): number {
    const bytes = Buffer.byteLength(body);
    this.bytes += bytes;
    this.payloads.push({ sequence, field, body, pieces: null, copyOf: null });
    return bytes;
  }

  private addPieces(
    { sequence, field }: LongValuePlace,
    pieces: readonly (string | number)[],
    size: number,
  ): number {
    for (const piece of pieces) if (typeof piece === 'string') this.bytes += Buffer.byteLength(piece);
    this.payloads.push({ sequence, field, body: '', pieces, copyOf: null });
    return size;
  }
}
