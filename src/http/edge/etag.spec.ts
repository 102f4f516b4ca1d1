import { describe, expect, it } from 'vitest';
import { PreconditionFailedError, ValidationError } from '../../errors/index.js';
import { matched } from './etag.js';

const RESOURCE = { revision: 3 };

describe('matched', () => {
  it.each([undefined, '*', ' * ', '"3"', '"1", "3"', '"1","3"', 'W/"1", "3"'])(
    '`matched` returns a resource of revision 3 for If-Match %s',
    (header) => {
      expect(matched(RESOURCE, header)).toBe(RESOURCE);
    },
  );

  it.each(['"2"', 'W/"3"', '"1", "2"', '"33"', '""'])(
    '`matched` refuses a resource of revision 3 for If-Match %s',
    (header) => {
      expect(() => matched(RESOURCE, header)).toThrow(PreconditionFailedError);
    },
  );

  it.each(['3', '"3', '', '"3" "4"', '"1",', '*, "3"'])(
    '`matched` refuses the malformed If-Match %j',
    (header) => {
      expect(() => matched(RESOURCE, header)).toThrow(ValidationError);
    },
  );
});
