import { expect, it } from 'vitest';
import { draftOf, fieldsOf, templateOf } from './hook-form.ts';

it.each([
  ['{{ request.body }}', '{{ request.body }}'],
  ['{ "a": "{{ request.body.a }}" }', { a: '{{ request.body.a }}' }],
  [' order {{ request.query.id }} ', 'order {{ request.query.id }}'],
  ['42', 42],
  ['', null],
])('parses the template %j', (text, template) => {
  expect(templateOf(text)).toEqual(template);
});

it('sends only the fields that the verification type has', () => {
  const draft = { ...draftOf(undefined), secret: ' TOKEN ', header: 'X-Sign', prefix: 'v0=' };
  expect(fieldsOf({ ...draft, verification: 'none' })['verification']).toEqual({ type: 'none' });
  expect(fieldsOf({ ...draft, verification: 'github' })['verification']).toEqual({
    type: 'github',
    secret: 'TOKEN',
  });
  expect(fieldsOf({ ...draft, verification: 'bearer' })['verification']).toEqual({
    type: 'bearer',
    secret: 'TOKEN',
    header: 'X-Sign',
    prefix: 'v0=',
  });
  expect(fieldsOf({ ...draft, verification: 'hmac' })['verification']).toMatchObject({
    algorithm: 'sha256',
    encoding: 'hex',
  });
});

it('sends a signal only for the action signal, and then no respond field', () => {
  const draft = { ...draftOf(undefined), signalName: 'go', executionKey: 'k', respond: 'output' } as const;
  expect(fieldsOf(draft)).toMatchObject({ signal: null, respond: 'output' });
  expect(fieldsOf({ ...draft, action: 'signal' })).toMatchObject({
    signal: { name: 'go', execution_key: 'k' },
    respond: 'accepted',
  });
});
