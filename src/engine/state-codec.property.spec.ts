import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVALUATION_CONTEXT } from '../../test/support/engine-plans.js';
import { CRASHES, EXECUTION, REQUESTS } from '../../test/support/execution-arbitrary.js';
import { simulate } from '../../test/support/simulated-run.js';
import { isFinal } from '../execution-events/index.js';
import { stateCodec } from './state-codec.js';
import { fold } from './fold.js';
import { compact } from './loop.js';
import { next } from './next.js';
import type { Plan } from './plan.js';
import type { ExecutionState } from './state.js';
import { withoutUnneededOutputs } from './unneeded-outputs.js';

const RUNS = 400;

/** Encodes a state as text. Equal states have equal texts. */
function textOf(plan: Plan, state: ExecutionState): string {
  const text = stateCodec.encode(withoutUnneededOutputs(plan, compact(plan, state, EVALUATION_CONTEXT)));
  if (text === null) throw new Error('A long value is not stored.');
  return text;
}

describe('a checkpoint of a random execution', () => {
  it('a checkpoint at any event of a random execution, plus the later events, gives the same state as the whole journal', () => {
    fc.assert(
      fc.property(EXECUTION, CRASHES, REQUESTS, (execution, crashes, requests) => {
        const { plan } = execution;
        const { journal } = simulate({ ...execution, crashes, requests });
        const whole = textOf(plan, fold(journal));
        for (let cut = 1; cut <= journal.length; cut += 1) {
          const restored = stateCodec.decode(textOf(plan, fold(journal.slice(0, cut))));
          expect(restored.sequence).toBe(cut);
          expect(textOf(plan, fold(journal.slice(cut), restored))).toBe(whole);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('a checkpoint at any event of a random execution leads to the same decision as the whole journal', () => {
    let decisions = 0;
    fc.assert(
      fc.property(EXECUTION, CRASHES, REQUESTS, (execution, crashes, requests) => {
        const { plan } = execution;
        const { journal } = simulate({ ...execution, crashes, requests });
        journal.forEach(({ at }, index) => {
          const folded = compact(plan, fold(journal.slice(0, index + 1)), EVALUATION_CONTEXT);
          if (isFinal(folded.status)) return;
          const restored = stateCodec.decode(textOf(plan, folded));
          const expected = next(plan, folded, at, EVALUATION_CONTEXT, []);
          const decided = next(plan, restored, at, EVALUATION_CONTEXT, []);
          expect(decided.events).toEqual(expected.events);
          expect(decided.runs).toEqual(expected.runs);
          expect(decided.wakeAt).toBe(expected.wakeAt);
          decisions += decided.events.length;
        });
      }),
      { numRuns: RUNS },
    );
    expect(decisions).toBeGreaterThan(RUNS);
  });
});
