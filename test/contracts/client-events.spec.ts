import { expect, it } from 'vitest';
import type { EventDataByType as ClientData } from '../../clients/typescript/src/event-data.ts';
import { isFinalEvent } from '../../clients/typescript/src/workflow-event.ts';
import { EVENT_TYPES, type EventDataByType, isFinalEventType } from '../../src/execution-events/index.js';

/** A compile-time check: the client's type of each event must accept the service's data. */
function accepted<T extends keyof EventDataByType>(data: EventDataByType[T]): ClientData[T] {
  return data;
}

it('accepts the data of every event type of the service by the types of the client', () => {
  const data = { status: 'paused', reason: 'Stock count' } as const;
  expect(accepted<'workflow.paused'>(data)).toBe(data);
});

it('lists the same final events in the client and in the service', () => {
  const final = EVENT_TYPES.filter((type) => isFinalEvent({ type }));
  expect(final).toEqual(EVENT_TYPES.filter(isFinalEventType));
});
