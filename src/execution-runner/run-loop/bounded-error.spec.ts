import { describe, expect, it } from 'vitest';
import { boundedError } from './bounded-error.js';

const LIMIT = 16_384;
const lengthOf = (value: unknown): number => JSON.stringify(value).length;

describe('boundedError', () => {
  it('`boundedError` returns an error with short details unchanged', () => {
    const details = { status: 503, body: 'away' };
    expect(boundedError('boom', 'Boom.', details)).toEqual({ code: 'boom', message: 'Boom.', details });
    expect(boundedError('boom', 'Boom.', undefined)).toEqual({ code: 'boom', message: 'Boom.' });
  });

  it('`boundedError` shortens a long text in error details and keeps all other fields', () => {
    const { details } = boundedError('http_status_error', 'Failed.', {
      status: 500,
      headers: { a: 'b' },
      body: '"'.repeat(100_000),
    });
    expect(details).toMatchObject({ status: 500, headers: { a: 'b' }, truncated: true });
    expect(lengthOf(details)).toBeLessThanOrEqual(LIMIT);
    expect(lengthOf(details)).toBeGreaterThan(LIMIT - 200);
  });

  it('`boundedError` omits a long list in error details and keeps all other fields', () => {
    const { details } = boundedError('http_status_error', 'Failed.', {
      body: Array<string>(10_000).fill('abc'),
      status: 500,
    });
    expect(details).toEqual({ status: 500, truncated: true });
  });

  it('`boundedError` keeps the code of a nested error when it truncates the details of the outer error', () => {
    const inner = boundedError('boom', 'Boom.', { body: 'x'.repeat(50_000) });
    const { details } = boundedError('child_failed', 'Failed.', { status: 'failed', error: { ...inner } });
    expect(details).toMatchObject({ status: 'failed', error: { code: 'boom' }, truncated: true });
    expect(lengthOf(details)).toBeLessThanOrEqual(LIMIT);
  });

  it('`boundedError` keeps the first characters of long error details that are not an object', () => {
    const { details } = boundedError('boom', 'Boom.', 'y'.repeat(100_000));
    expect(details).toMatchObject({ truncated: true, text: expect.stringMatching(/^"yyy/) });
    expect(lengthOf(details)).toBeLessThanOrEqual(LIMIT);
  });

  it('`boundedError` does not split a surrogate pair when it truncates a long message', () => {
    const { message } = boundedError('boom', `a${'😀'.repeat(10_000)}`, undefined);
    expect(message).toBe(`a${'😀'.repeat(2_047)}`);
  });
});
