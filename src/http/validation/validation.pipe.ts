import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { type InputFault, ValidationError } from '../../errors/index.js';
import { queryScalar, readInput, type InputSource } from './input-reading.js';
import { inputShape } from './input-shape.js';
import { surelyValid } from './quick-check.js';
import { withoutReadOnly } from '../edge/read-only-fields.js';
import { validatorFaults } from './validator-faults.js';

const ABSENT_BODY_IS_EMPTY = Symbol('absentBodyIsEmpty');
const absentBodies = new Set<string>();

export function BodyMayBeAbsent(): ClassDecorator {
  return (target) => {
    Reflect.defineMetadata(ABSENT_BODY_IS_EMPTY, true, target);
    absentBodies.add(target.name);
  };
}

/** Whether the input class with this name has the decorator `BodyMayBeAbsent`. */
export function bodyMayBeAbsent(className: string): boolean {
  return absentBodies.has(className);
}

/**
 * Global pipe that converts bodies and queries to instances of their input class and validates them. Classes without
 * decorators of class-validator are not checked.
 * @throws ValidationError that lists every invalid field
 */
@Injectable()
export class ValidationPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type !== 'body' && type !== 'query') return value;
    if (type === 'query' && data !== undefined) return queryArgument(data, metatype, value);
    if (metatype === undefined || inputShape(metatype).size === 0) return value;
    return validated(metatype, withoutReadOnly(metatype, present(metatype, value, type)), type);
  }
}

function present(metatype: Type, value: unknown, source: InputSource): object {
  if (typeof value === 'object' && value !== null) return value;
  if (source === 'query' || Reflect.hasMetadata(ABSENT_BODY_IS_EMPTY, metatype)) return {};
  throw ValidationError.of('body', 'required', 'is required: send a JSON object');
}

function validated(metatype: Type, plain: object, source: InputSource): object {
  const { instance, faults: readingFaults } = readInput(metatype, plain, source);
  if (readingFaults.length === 0 && surelyValid(metatype, instance)) return instance;
  const errors = validateSync(instance, VALIDATOR_OPTIONS);
  const [first, ...others] = distinct([...readingFaults, ...validatorFaults(errors, source)]);
  if (first === undefined) return instance;
  throw new ValidationError([first, ...others]);
}

/** class-validator does not check for unknown fields, because `readInput` has already refused them. */
const VALIDATOR_OPTIONS = { forbidUnknownValues: false, validationError: { target: true } };

/**
 * Returns only the first error of each field. A field with an unreadable value would otherwise also be reported as
 * missing.
 */
function distinct(faults: readonly InputFault[]): readonly InputFault[] {
  const paths = new Set<string>();
  return faults.filter(({ path }) => !paths.has(path) && paths.add(path));
}

function queryArgument(name: string, metatype: unknown, value: unknown): unknown {
  if (Array.isArray(value) && metatype !== Array)
    throw ValidationError.of(name, 'repeated', 'must not be repeated');
  const read = queryScalar(metatype, value);
  if (metatype === Number && typeof read === 'string')
    throw ValidationError.of(name, 'is_number', 'must be a number');
  if (metatype === Boolean && typeof read === 'string')
    throw ValidationError.of(name, 'is_boolean', 'must be true or false');
  return metatype === Array && typeof value === 'string' ? [value] : read;
}
