import { expect, it } from 'vitest';
import type { EventDataByType as ClientData } from '../../clients/typescript/src/event-data.ts';
import { isFinalEvent } from '../../clients/typescript/src/workflow-event.ts';
import { EVENT_TYPES, type EventDataByType, isFinalEventType } from '../../src/execution-events/index.js';

/** This function does not compile if the client's type of an event does not accept the data that the service sends. */
function accepted<T extends keyof EventDataByType>(data: EventDataByType[T]): ClientData[T] {
  return data;
}

it('the types of the TypeScript client accept the data of every event type of the service', () => {
  const data = { status: 'paused', reason: 'Stock count' } as const;
  expect(accepted<'workflow.paused'>(data)).toBe(data);
});

it('the TypeScript client and the service agree on which event types end an execution', () => {
  const final = EVENT_TYPES.filter((type) => isFinalEvent({ type }));
  expect(final).toEqual(EVENT_TYPES.filter(isFinalEventType));
});
