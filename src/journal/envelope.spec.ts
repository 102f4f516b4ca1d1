import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReadEvent } from '../engine/index.js';
import { newId } from '../platform/index.js';
import { envelopeOf, envelopeText } from './envelope.js';

const event = fc.record({
  type: fc.oneof(fc.constant('workflow.node.complete'), fc.string()),
  at: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  nodeId: fc.option(fc.string()),
  attempt: fc.option(fc.nat()),
  data: fc.dictionary(fc.string(), fc.jsonValue()),
});

it('is one text and one object, whatever an event holds', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 4 }),
      fc.option(fc.constant(newId())),
      fc.nat(),
      fc.nat(),
      (events, sessionId, position, before) => {
        const batch = {
          id: newId(),
          position,
          executionId: newId(),
          projectId: newId(),
          workflowId: newId(),
          sessionId,
          firstSequence: before + 1,
          // As a newer version of the service may have written them.
          events: events as readonly unknown[] as readonly ReadEvent[],
        };
        for (const index of events.keys())
          expect(envelopeText(batch, index)).toBe(JSON.stringify(envelopeOf(batch, index)));
      },
    ),
  );
});
