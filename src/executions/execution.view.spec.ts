import { describe, expect, it } from 'vitest';
import { newExecution } from '../../test/support/execution-store.js';
import { NOT_STARTED } from '../execution-store/index.js';
import { LongValue } from '../long-values/index.js';
import { executionView } from './execution.view.js';

describe('executionView', () => {
  it('the response of an execution shows a duration only if the execution has ended', () => {
    const startedAt = '2030-01-01T00:00:00.000Z';
    const finishedAt = '2030-01-01T00:00:01.500Z';
    const view = (own: object): ReturnType<typeof executionView> =>
      executionView(newExecution({ progress: { ...NOT_STARTED, ...own } }));
    expect(view({ startedAt, finishedAt }).duration_ms).toBe(1_500);
    expect(view({ startedAt }).duration_ms).toBeNull();
    expect(view({ finishedAt }).duration_ms).toBeNull();
  });

  it('the response of an execution omits the user who triggered the execution', () => {
    const trigger = { type: 'api', id: 'key-1', user_id: 'user-1' } as const;
    expect(executionView(newExecution({ trigger })).trigger).toEqual({ type: 'api', id: 'key-1' });
  });

  it('the response of an execution omits a missing parent and a missing scheduled time', () => {
    const view = executionView(newExecution({}));
    expect(view).not.toHaveProperty('parent');
    expect(view).not.toHaveProperty('scheduled_for');
  });

  it('the response of an execution shows its parent and its scheduled time', () => {
    const scheduledFor = '2030-01-01T00:00:00.000Z';
    expect(executionView(newExecution({ parentId: 'parent-1', scheduledFor }))).toMatchObject({
      parent: 'parent-1',
      scheduled_for: scheduledFor,
    });
  });

  it('the error in the response of an execution contains its type both as `type` and as `code`', () => {
    const error = { type: 'broken', message: 'Broken.', node_id: 'charge' };
    expect(executionView(newExecution({ progress: { ...NOT_STARTED, error } })).error).toMatchObject({
      type: 'broken',
      code: 'broken',
      node_id: 'charge',
    });
  });

  it('the response of an execution replaces long values with their URLs', () => {
    const input = LongValue.storedAt({ executionId: null, sequence: 1, field: 'input' }, 20_000);
    const output = LongValue.storedAt({ executionId: null, sequence: 9, field: 'output' }, 20_000);
    const { id, ...own } = newExecution({ input, progress: { ...NOT_STARTED, output } });
    expect(executionView({ id, ...own })).toMatchObject({
      input: null,
      input_truncated: true,
      input_url: expect.stringMatching(new RegExp(`/v1/executions/${id}/events/1/input$`)) as string,
      output: null,
      output_truncated: true,
      output_url: expect.stringMatching(new RegExp(`/v1/executions/${id}/events/9/output$`)) as string,
    });
  });

  it('the URL of a long value names the execution that stores the value', () => {
    const input = LongValue.storedAt({ executionId: 'other', sequence: 3, field: 'output' }, 20_000);
    expect(executionView(newExecution({ input })).input_url).toMatch(
      /\/v1\/executions\/other\/events\/3\/output$/,
    );
  });

  it('the response of an execution shows a null value as null, not as truncated', () => {
    expect(executionView(newExecution({ input: null }))).not.toHaveProperty('input_truncated');
  });
});
