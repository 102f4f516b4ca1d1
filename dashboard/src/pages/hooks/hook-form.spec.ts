import { expect, it } from 'vitest';
import { draftOf, fieldsOf, templateOf } from './hook-form.ts';

it.each([
  ['{{ request.body }}', '{{ request.body }}'],
  ['{ "a": "{{ request.body.a }}" }', { a: '{{ request.body.a }}' }],
  [' order {{ request.query.id }} ', 'order {{ request.query.id }}'],
  ['42', 42],
  ['', null],
])('`templateOf` reads JSON or an expression from the text %j', (text, template) => {
  expect(templateOf(text)).toEqual(template);
});

it('the hook form sends only the fields that belong to the selected type of verification', () => {
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

it('the hook form sends the fields of a signal only if the action is `signal`', () => {
  const draft = { ...draftOf(undefined), signalName: 'go', executionKey: 'k', respond: 'output' } as const;
  expect(fieldsOf(draft)).toMatchObject({ signal: null, respond: 'output' });
  expect(fieldsOf({ ...draft, action: 'signal' })).toMatchObject({
    signal: { name: 'go', execution_key: 'k' },
    respond: 'accepted',
  });
});
