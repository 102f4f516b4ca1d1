import { expect, it } from 'vitest';
import { ValidationError } from './errors.js';

it.each([
  ['must be a string', 'name must be a string.'],
  [
    'The name `x` is unknown here. (At character 1.)',
    'name: The name `x` is unknown here. (At character 1.)',
  ],
  ['Is this a name?', 'name: Is this a name?'],
])('the message of a validation error joins the field and the reason %j', (reason, message) => {
  expect(ValidationError.of('name', 'invalid', reason).message).toBe(message);
});
