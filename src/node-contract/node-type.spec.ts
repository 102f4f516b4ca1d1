import { describe, expect, it } from 'vitest';
import { MAX_OUTPUT_DEPTH, NodeFailure, output, outputTooDeep, startChild, suspend } from './node-type.js';

describe('helpers for results of an attempt', () => {
  it('`output()` returns an output result, and includes logs only if logs are given', () => {
    expect(output(7)).toEqual({ kind: 'output', output: 7 });
    expect(output(null, ['Done.'])).toEqual({ kind: 'output', output: null, logs: ['Done.'] });
  });

  it('`suspend()` returns a wait result, and `startChild()` returns a child request', () => {
    const wait = { for: 'timer', until: 5 } as const;
    expect(suspend(wait)).toEqual({ kind: 'suspend', wait });
    const child = { workflowId: 'w', version: null, input: { n: 1 } };
    expect(startChild(child)).toEqual({ kind: 'start_child', child });
  });

  it('`outputTooDeep()` returns an error that names the depth limit', () => {
    expect(outputTooDeep()).toEqual({
      code: 'output_too_deep',
      message: expect.stringContaining(`${MAX_OUTPUT_DEPTH}`),
    });
  });

  it('a `NodeFailure` has the given code, message and options', () => {
    const plain = new NodeFailure('refused', 'No.');
    expect(plain).toMatchObject({ name: 'NodeFailure', code: 'refused', message: 'No.', options: {} });
    const options = { details: [1], retryable: false };
    expect(new NodeFailure('refused', 'No.', options).options).toBe(options);
  });
});
