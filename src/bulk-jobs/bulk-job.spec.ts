import { describe, expect, it } from 'vitest';
import { countsAfter } from './bulk-job.js';

const NONE = { processed: 0, succeeded: 0, failed: 0, failures: [] };
const failed = (executionId: string, code: string): Parameters<typeof countsAfter>[1][number] => ({
  executionId,
  error: { code, message: `${code} of ${executionId}` },
});

describe('countsAfter', () => {
  it('`countsAfter` counts successes, and groups failures by error code with the first message of each code', () => {
    const first = countsAfter(NONE, [{ executionId: 'a', error: null }, failed('b', 'x'), failed('c', 'x')]);
    expect(countsAfter(first, [failed('d', 'y')])).toEqual({
      processed: 4,
      succeeded: 1,
      failed: 3,
      failures: [
        { code: 'x', message: 'x of b', count: 2, executionIds: ['b', 'c'] },
        { code: 'y', message: 'y of d', count: 1, executionIds: ['d'] },
      ],
    });
  });

  it('`countsAfter` lists only the first 20 failed executions of an error code, but counts all failures', () => {
    const [failure] = countsAfter(
      NONE,
      Array.from({ length: 50 }, (_, index) => failed(String(index), 'x')),
    ).failures;
    expect([failure?.count, failure?.executionIds.length]).toEqual([50, 20]);
  });

  it('`countsAfter` lists only the first 20 error codes, but counts all failures', () => {
    const counts = countsAfter(
      NONE,
      Array.from({ length: 25 }, (_, index) => failed(String(index), `code ${index}`)),
    );
    expect([counts.failed, counts.failures.length]).toEqual([25, 20]);
  });
});
