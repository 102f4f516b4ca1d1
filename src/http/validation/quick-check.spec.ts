import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { surelyValid } from './quick-check.js';

class Inner {
  @IsInt()
  count: unknown;
}

class Plain {
  @Allow()
  anything: unknown;

  @IsString()
  @MaxLength(3)
  name: unknown;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(9)
  priority: unknown;

  @IsOptional()
  @IsUUID()
  id: unknown;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @IsIn(['a', 'b'], { each: true })
  letters: unknown;

  @ValidateIf((object: Plain) => object.priority === 1)
  @IsObject()
  onlyAtOne: unknown;

  @IsOptional()
  @Matches(/^x/, { each: true })
  starts: unknown;
}

class Nesting {
  @IsOptional()
  @ValidateNested()
  inner: unknown;
}

const value = fc.oneof(
  fc.constantFrom(undefined, null, '', 'a', 'b', 'abc', 'abcd', 'x', 0, 1, 9, 10, -1, 1.5, NaN, true),
  fc.uuid(),
  fc.array(fc.constantFrom('a', 'b', 'c', 'x', 1, null), { maxLength: 4 }),
  fc.constant({}),
  fc.constant(new Set(['c'])),
);

const OPTIONS = { forbidUnknownValues: false };

it('`surelyValid` returns false for every field that the validators refuse, and true for ordinary valid fields', () => {
  const fields = ['anything', 'name', 'priority', 'id', 'letters', 'onlyAtOne', 'starts'] as const;
  const changes = fc.array(fc.tuple(fc.constantFrom(...fields), value), { maxLength: 3 });
  const seen = { valid: 0, refused: 0 };
  fc.assert(
    fc.property(changes, (changed) => {
      const record = { name: 'a', onlyAtOne: {}, ...Object.fromEntries(changed) };
      const instance = Object.assign(new Plain(), record);
      const isValid = validateSync(instance, OPTIONS).length === 0;
      // For a field with a rule for list elements, the quick check may reject a valid value that is not a list.
      if (
        isValid &&
        [instance.letters, instance.starts].every((list) => (list ?? null) === null || Array.isArray(list))
      )
        expect(surelyValid(Plain, instance)).toBe(true);
      if (!isValid) expect(surelyValid(Plain, instance)).toBe(false);
      seen[isValid ? 'valid' : 'refused'] += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(seen.valid, seen.refused)).toBeGreaterThan(50);
});

it('`surelyValid` returns false for a nested object, even a valid one', () => {
  const nesting = (inner: unknown): Nesting => Object.assign(new Nesting(), { inner });
  expect(surelyValid(Nesting, nesting(undefined))).toBe(true);
  expect(surelyValid(Nesting, nesting(Object.assign(new Inner(), { count: 'x' })))).toBe(false);
  expect(surelyValid(Nesting, nesting(Object.assign(new Inner(), { count: 1 })))).toBe(false);
});
