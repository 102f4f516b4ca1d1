import { Injectable } from '@nestjs/common';
import { visibleBatch } from '../events/index.js';
import type { TraceHeaders } from '../trace-context/index.js';
import { type Batch, envelopeOf, type Envelope, envelopeText, JournalRepository } from '../journal/index.js';
import type { Delivery } from './delivery.js';
import type { BodySource } from './event-body.js';
import { storedTraceHeaders } from './execution-traces.js';
import type { Webhook } from './webhook.js';

export const TEST_EVENT_TYPE = 'webhook.test';

/** Rights with which webhooks read events. Without `executions:write`, envelopes contain no approval links. */
const RECEIVER = { role: 'viewer', scopes: ['events:read'] } as const;

export interface OutgoingEvent {
  readonly envelope: BodySource;
  readonly text: string;
  /** Trace headers of the event's execution. Null for a test event. */
  readonly trace: TraceHeaders | null;
}

export function receivedEnvelope(batch: Batch, index: number): Envelope {
  return envelopeOf(visibleBatch(batch, RECEIVER), index);
}

/** Returns the envelope of an event as JSON text. The text is computed once and shared by all webhooks. */
export function receivedText(batch: Batch, index: number): string {
  return envelopeText(visibleBatch(batch, RECEIVER), index);
}

/**
 * Returns an event that tests an endpoint. The event belongs to no execution.
 * @param at ISO 8601
 */
export function testEvent(
  { id, projectId }: Pick<Webhook, 'id' | 'projectId'>,
  eventId: string,
  at: string,
): OutgoingEvent {
  const envelope = {
    id: eventId,
    type: TEST_EVENT_TYPE,
    sequence: 0,
    cursor: null,
    created_at: at,
    project_id: projectId,
    workflow_id: null,
    execution_id: null,
    session_id: null,
    node_id: null,
    attempt: null,
    data: { webhook_id: id },
  };
  return { envelope, text: JSON.stringify(envelope), trace: null };
}

@Injectable()
export class StoredEvents {
  constructor(private readonly journal: JournalRepository) {}

  /** Returns the event of a delivery; undefined if retention has deleted the event. */
  async of(webhook: Webhook, delivery: Delivery): Promise<OutgoingEvent | undefined> {
    const { executionId, sequence } = delivery;
    if (executionId === null || sequence === null)
      return testEvent(webhook, delivery.eventId, delivery.createdAt);
    const { batches } = await this.journal.ofExecution(executionId, sequence - 1, 1);
    const [batch] = batches;
    const index = sequence - (batch?.firstSequence ?? 0);
    if (batch?.events[index] === undefined) return undefined;
    const trace = await storedTraceHeaders(this.journal, executionId);
    return { envelope: receivedEnvelope(batch, index), text: receivedText(batch, index), trace };
  }

  /**
   * Returns the journal position directly before the first event since a time.
   * @param since epoch milliseconds
   */
  async positionBefore(since: number): Promise<number> {
    const { oldest, newest } = await this.journal.bounds();
    let [low, high] = [Math.max(0, oldest - 1), newest];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const at = await this.journal.timeAfter(middle);
      if (at === undefined || at >= since) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
