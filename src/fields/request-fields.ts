import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsRFC3339,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';

/** Start of the year 10000, in epoch milliseconds. */
const END_MS = Date.UTC(10_000, 0);

/** Keys of `@ApiProperty` that every field can have. Only `nullable` also affects the validation. */
interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  /** Whether an optional field may be null. */
  readonly nullable?: boolean;
}

interface TextOptions extends FieldOptions {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Format in the OpenAPI document. The format is not validated. */
  readonly format?: string;
}

interface IntegerOptions extends FieldOptions {
  readonly minimum?: number;
  readonly maximum?: number;
}

interface ChoiceOptions extends FieldOptions {
  /** The allowed values. */
  readonly enum: readonly (string | number)[];
}

interface ObjectOptions extends FieldOptions {
  /** Schema of the values in the OpenAPI document. The values are not validated. */
  readonly additionalProperties?: { readonly type: 'string' };
}

/** What a field has in the OpenAPI document, and the decorators that validate it. */
interface Field {
  readonly schema: ApiPropertyOptions;
  /** If a value breaks several rules, the API reports the rule about the type, or else the first broken rule. */
  readonly rules: readonly PropertyDecorator[];
}

/** A string. If `minLength` and `maxLength` are set, one rule checks both. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  return required(text(options));
}

export function OptionalText(options: TextOptions = {}): PropertyDecorator {
  return optional(text(options));
}

/** An integer. In a query, the parameter is converted to a number. */
export function Integer(options: IntegerOptions = {}): PropertyDecorator {
  return required(integer(options));
}

export function OptionalInteger(options: IntegerOptions = {}): PropertyDecorator {
  return optional(integer(options));
}

/** One of the values of `enum`. */
export function Choice(options: ChoiceOptions): PropertyDecorator {
  return required(choice(options));
}

export function OptionalChoice(options: ChoiceOptions): PropertyDecorator {
  return optional(choice(options));
}

/** A UUID. */
export function Id(options: FieldOptions = {}): PropertyDecorator {
  return required(id(options));
}

export function OptionalId(options: FieldOptions = {}): PropertyDecorator {
  return optional(id(options));
}

/** An RFC 3339 date-time with a UTC offset, from the year 1970 to 9999 in UTC. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return required(instant(options));
}

export function OptionalInstant(options: FieldOptions = {}): PropertyDecorator {
  return optional(instant(options));
}

/** An object that is validated by the decorators of its class. */
export function Nested(type: () => Class, options: FieldOptions = {}): PropertyDecorator {
  return required(nested(type, options));
}

export function OptionalNested(type: () => Class, options: FieldOptions = {}): PropertyDecorator {
  return optional(nested(type, options));
}

export function OptionalBoolean(options: FieldOptions = {}): PropertyDecorator {
  return optional({ schema: { type: 'boolean', ...options }, rules: [IsBoolean()] });
}

/** An object with any keys and values. */
export function OptionalObject(options: ObjectOptions = {}): PropertyDecorator {
  return optional({
    schema: { type: 'object', additionalProperties: true, ...options },
    rules: [IsObject()],
  });
}

function required({ schema, rules }: Field): PropertyDecorator {
  return applyDecorators(ApiProperty(schema), ...rules);
}

function optional({ schema, rules }: Field): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional(schema), ...rules, IsOptional());
}

function text(options: TextOptions): Field {
  const { minLength, maxLength } = options;
  const rules = [IsString()];
  if (minLength !== undefined) rules.push(Length(minLength, maxLength));
  else if (maxLength !== undefined) rules.push(MaxLength(maxLength));
  return { schema: { type: 'string', ...options }, rules };
}

function integer(options: IntegerOptions): Field {
  const { minimum, maximum } = options;
  const rules = [Type(() => Number), IsInt()];
  if (minimum !== undefined) rules.push(Min(minimum));
  if (maximum !== undefined) rules.push(Max(maximum));
  return { schema: { type: 'integer', ...options }, rules };
}

function choice(options: ChoiceOptions): Field {
  return { schema: options, rules: [IsIn(options.enum)] };
}

function id(options: FieldOptions): Field {
  return { schema: { type: 'string', format: 'uuid', ...options }, rules: [IsUUID()] };
}

function instant(options: FieldOptions): Field {
  return {
    schema: { type: 'string', format: 'date-time', ...options },
    rules: [IsRFC3339(), IsISO8601({ strict: true }), IsInYears()],
  };
}

/**
 * Rejects times outside of the years 1970 to 9999 in UTC. The text of a later time has five digits for the year and does
 * not sort after the texts of earlier times. Accepts a text that is no time, which other rules reject.
 */
export function IsInYears(): PropertyDecorator {
  return ValidateBy({
    name: 'isInYears',
    validator: {
      validate: (value) => typeof value !== 'string' || !isOutside(Date.parse(value)),
      defaultMessage: () => '$property must be in the years 1970 to 9999 in UTC',
    },
  });
}

function isOutside(epochMs: number): boolean {
  return epochMs < 0 || epochMs >= END_MS;
}

function nested(type: () => Class, options: FieldOptions): Field {
  return {
    // Swagger calls a function to get the class only if the name of the function is `type`. The argument has no name.
    schema: { type: () => type(), ...options },
    rules: [Type(type), ValidateNested(), IsObject()],
  };
}
