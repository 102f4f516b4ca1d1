import type { InputFault } from '../../errors/index.js';
import { childPath } from '../validation/field-path.js';

/** Maximum nesting depth of a JSON body. The body itself is level 1. */
export const MAX_DEPTH = 64;
/** Maximum number of keys in all objects of a JSON body together. */
export const MAX_KEYS = 10_000;

/**
 * Why a parsed JSON value must not be stored, such as a nesting that is too deep or a NUL character. Undefined if the
 * value may be stored.
 * @param text JSON text of the value; strings are checked only if it contains a `\u` escape
 */
export function jsonFault(value: unknown, text: string): InputFault | undefined {
  const check = new JsonCheck(text.includes('\\u'));
  const fault = check.faultOf(value, 1);
  if (fault === undefined) return undefined;
  return { path: pathOf(check.path), code: fault.code, message: fault.message };
}

interface Unfit {
  readonly code: string;
  readonly message: string;
}

const TOO_DEEP: Unfit = { code: 'too_deep', message: `must not be nested deeper than ${MAX_DEPTH} levels` };
const TOO_MANY_KEYS: Unfit = { code: 'too_many_keys', message: `must not have more than ${MAX_KEYS} keys` };
const PROTO_KEY: Unfit = { code: 'forbidden_key', message: 'is not allowed as a key' };
const OUT_OF_RANGE: Unfit = {
  code: 'number_out_of_range',
  message: 'must be a number in the range of a double',
};
const NUL: Unfit = { code: 'nul_character', message: 'must not contain a NUL character' };
const SURROGATE: Unfit = { code: 'lone_surrogate', message: 'must not contain half of a surrogate pair' };

class JsonCheck {
  /** Path to the value with the error, as keys and indexes in reverse order. Empty if no error was found. */
  readonly path: (string | number)[] = [];
  private keys = 0;

  constructor(private readonly texts: boolean) {}

  faultOf(value: unknown, depth: number): Unfit | undefined {
    if (typeof value === 'string') return this.texts ? textFault(value) : undefined;
    if (typeof value === 'number') return Number.isFinite(value) ? undefined : OUT_OF_RANGE;
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth > MAX_DEPTH) return TOO_DEEP;
    return Array.isArray(value) ? this.listFault(value, depth) : this.objectFault(value, depth);
  }

  private listFault(list: readonly unknown[], depth: number): Unfit | undefined {
    for (let index = 0; index < list.length; index++) {
      const fault = this.faultOf(list[index], depth + 1);
      if (fault !== undefined) return this.at(index, fault);
    }
    return undefined;
  }

  private objectFault(object: object, depth: number): Unfit | undefined {
    for (const key in object) {
      if (++this.keys > MAX_KEYS) return TOO_MANY_KEYS;
      const fault = this.keyFault(key) ?? this.faultOf((object as Record<string, unknown>)[key], depth + 1);
      if (fault !== undefined) return this.at(key, fault);
    }
    return undefined;
  }

  private keyFault(key: string): Unfit | undefined {
    if (key === '__proto__') return PROTO_KEY;
    return this.texts ? textFault(key) : undefined;
  }

  private at(segment: string | number, fault: Unfit): Unfit {
    this.path.push(segment);
    return fault;
  }
}

function textFault(text: string): Unfit | undefined {
  if (!text.isWellFormed()) return SURROGATE;
  return text.includes('\0') ? NUL : undefined;
}

function pathOf(insideOut: readonly (string | number)[]): string {
  let path = '';
  for (let index = insideOut.length - 1; index >= 0; index--) path = childPath(path, insideOut[index] ?? '');
  return path === '' ? 'body' : path;
}
