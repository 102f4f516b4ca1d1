import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LeaseWatch } from '../../instances/index.js';
import { HttpNodeFixture } from './http-node.fixture.js';

const SURE: LeaseWatch = { isSure: () => true, confirm: () => Promise.resolve() };

describe('an http node in a process that may have lost its leases', () => {
  const fixture = new HttpNodeFixture();
  beforeAll(() => fixture.start());
  afterEach(() => {
    fixture.effects.watchWith(SURE);
    fixture.reset();
  });
  afterAll(() => fixture.stop());

  it.each([
    ['a new connection', 0],
    ['a reused connection', 1],
  ])(
    'the http node sends a request on %s only after the process has confirmed that it still has its leases',
    async (_, warmUps) => {
      const parameters = { method: 'POST' as const, url: `${fixture.origin.url}/held` };
      fixture.origin.answers.set('/held', (__, response) => response.end('ok'));
      for (let n = 0; n < warmUps; n += 1) await fixture.outputOf(parameters);
      let sure = false;
      let seenBefore = -1;
      fixture.effects.watchWith({
        isSure: () => sure,
        confirm: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          seenBefore = fixture.origin.received.length;
          sure = true;
        },
      });
      expect(await fixture.outputOf(parameters)).toMatchObject({ status: 200 });
      expect(seenBefore).toBe(warmUps);
      expect(fixture.origin.received).toHaveLength(warmUps + 1);
    },
  );
});
