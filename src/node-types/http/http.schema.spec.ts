import { describe, expect, it } from 'vitest';
import { compileParameterSchema } from '../../nodes/index.js';
import type { HttpParameters } from './http-request.js';
import { HTTP_SCHEMA } from './http.schema.js';

describe('the schema of the http node', () => {
  const checks = compileParameterSchema(HTTP_SCHEMA);

  it.each<[string, Record<string, never> | HttpParameters, string]>([
    ['no URL', {}, 'with.url'],
    ['a URL with another protocol', { url: 'ftp://a' }, 'with.url'],
    ['a relative URL', { url: '/path' }, 'with.url'],
    ['an unknown method', { url: 'http://a', method: 'TRACE' }, 'with.method'],
    ['an invalid header name', { url: 'http://a', headers: { 'a b': '1' } }, 'with.headers.a b'],
    ['a status out of range', { url: 'http://a', accept_status: [600] }, 'with.accept_status[0]'],
    ['an unknown class of statuses', { url: 'http://a', accept_status: ['9xx'] }, 'with.accept_status[0]'],
    [
      'a limit that is too high',
      { url: 'http://a', max_response_bytes: 10_485_761 },
      'with.max_response_bytes',
    ],
    ['a nested query value', { url: 'http://a', query: { a: [['b']] as never } }, 'with.query.a'],
  ])('the schema of the http node rejects %s', (_, parameters, path) => {
    expect(checks.check(parameters).map((fault) => fault.path)).toEqual([path]);
  });

  it('the schema of the http node accepts expressions in every field', () => {
    expect(
      checks.checkDefinition(
        {
          url: '{{ input.base }}/x',
          method: '{{ input.m }}',
          accept_status: '{{ input.codes }}',
          headers: { a: '{{ input.h }}' },
          query: '{{ input.q }}',
        },
        'with',
      ),
    ).toEqual([]);
  });
});
