import { describe, expect, it } from 'vitest';
import { PreconditionFailedError, ValidationError } from '../../errors/index.js';
import { etagOf, requireMatch } from './etag.js';

describe('requireMatch', () => {
  it.each([undefined, '*', ' * ', '"3"', '"1", "3"', '"1","3"', 'W/"1", "3"'])(
    '`requireMatch` with If-Match %s accepts version 3',
    (header) => {
      expect(() => requireMatch(header, etagOf(3))).not.toThrow();
    },
  );

  it.each(['"2"', 'W/"3"', '"1", "2"', '"33"', '""'])(
    '`requireMatch` with If-Match %s refuses version 3',
    (header) => {
      expect(() => requireMatch(header, etagOf(3))).toThrow(PreconditionFailedError);
    },
  );

  it.each(['3', '"3', '', '"3" "4"', '"1",', '*, "3"'])(
    '`requireMatch` refuses the malformed If-Match %j',
    (header) => {
      expect(() => requireMatch(header, etagOf(3))).toThrow(ValidationError);
    },
  );
});
