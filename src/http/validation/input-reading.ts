import type { Type } from '@nestjs/common';
import type { InputFault } from '../../errors/index.js';
import { childPath } from './field-path.js';
import { type InputField, type InputShape, inputShape } from './input-shape.js';

/** Maximum number of objects in a list of a body. A longer list is refused before any of its objects is read. */
export const MAX_LISTED_OBJECTS = 1_000;

/** Part of a request. Values in a body have JSON types. Values in a query are strings, which must be converted. */
export type InputSource = 'body' | 'query';

export interface ReadInput {
  readonly instance: object;
  readonly faults: readonly InputFault[];
}

/**
 * Creates an instance of an input class from the fields of a body or query. Reports an error for each undeclared field.
 * class-transformer is not used, because it fails for keys such as `constructor`.
 */
export function readInput(type: Type, plain: object, source: InputSource): ReadInput {
  const faults: InputFault[] = [];
  return { instance: new InputReader(source, faults).object(type, plain, ''), faults };
}

class InputReader {
  constructor(
    private readonly source: InputSource,
    private readonly faults: InputFault[],
  ) {}

  object(type: Type, plain: object, path: string): object {
    const shape: InputShape = inputShape(type);
    const instance = new type() as Record<string, unknown>;
    for (const [key, value] of Object.entries(plain)) {
      if (this.source === 'query' && this.mapEntry(shape, instance, key, value)) continue;
      const field = shape.get(key);
      const at = childPath(path, key);
      if (field === undefined) this.fault(at, 'unknown_field', 'is not a known field');
      else if (value === null && field.optional && !field.nullable)
        this.fault(at, 'not_nullable', 'must not be null; omit it instead');
      else instance[key] = this.transformed(field, this.value(field, value, at), plain);
    }
    return instance;
  }

  /**
   * Reads a query parameter of the form `name[key]=value` into the field `name`, which must be a Map. Returns false for
   * other parameters.
   */
  private mapEntry(
    shape: InputShape,
    instance: Record<string, unknown>,
    key: string,
    value: unknown,
  ): boolean {
    const [, name, entry] = /^(\w+)\[(.+)\]$/.exec(key) ?? [];
    if (name === undefined || entry === undefined || shape.get(name)?.declared !== Map) return false;
    if (typeof value !== 'string') this.fault(key, 'repeated', 'must not be repeated');
    else mapAt(instance, name).set(entry, value);
    return true;
  }

  private value(field: InputField, value: unknown, path: string): unknown {
    if (this.source === 'query') return this.queryValue(field, value, path);
    return field.nested === undefined ? value : this.nestedValue(field, field.nested, value, path);
  }

  private nestedValue(field: InputField, type: Type, value: unknown, path: string): unknown {
    if (value === null && field.nullable) return value;
    const isList = Array.isArray(value);
    if (field.declared === Array && !isList) return this.fault(path, 'is_array', 'must be a list');
    if (field.declared !== Array && field.declared !== undefined && isList)
      return this.fault(path, 'is_object', 'must be an object');
    if (isList && value.length > MAX_LISTED_OBJECTS)
      return this.fault(path, 'array_max_size', `must contain no more than ${MAX_LISTED_OBJECTS} elements`);
    return isList
      ? value.map((element, index) => this.nestedObject(type, element, childPath(path, index)))
      : this.nestedObject(type, value, path);
  }

  private nestedObject(type: Type, value: unknown, path: string): unknown {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return this.object(type, value, path);
    return this.fault(path, 'is_object', 'must be an object');
  }

  private queryValue(field: InputField, value: unknown, path: string): unknown {
    if (field.declared === Array)
      return (Array.isArray(value) ? value : [value]).map((one) => queryScalar(field.element, one));
    if (field.declared === Map) return this.fault(path, 'is_map', `must be given as ${path}[key]=value`);
    if (Array.isArray(value)) return this.fault(path, 'repeated', 'must not be repeated');
    return queryScalar(field.declared ?? field.element, value);
  }

  private transformed(field: InputField, value: unknown, plain: object): unknown {
    try {
      return field.transform(value, plain);
    } catch {
      // If a value has a type that the transform does not expect, the value stays unchanged, and the validators refuse
      // it.
      return value;
    }
  }

  private fault(path: string, code: string, message: string): undefined {
    this.faults.push({ path, code, message });
  }
}

function mapAt(instance: Record<string, unknown>, name: string): Map<string, string> {
  const known = instance[name];
  if (known instanceof Map) return known as Map<string, string>;
  const made = new Map<string, string>();
  instance[name] = made;
  return made;
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Converts a string from a query to the declared type. A string that cannot be converted stays unchanged, and the
 * validators refuse it.
 */
export function queryScalar(declared: unknown, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (declared === Number) return DECIMAL.test(text) ? Number(text) : text;
  if (declared === Boolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
