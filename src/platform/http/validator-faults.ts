import type { ValidationError as ClassValidatorError } from 'class-validator';
import type { InputFault } from './errors.js';
import { childPath } from './field-path.js';

/** What class-validator found, as one fault a field, each with the whole path. */
export function validatorFaults(
  errors: readonly ClassValidatorError[],
  parent = '',
  inList = false,
): readonly InputFault[] {
  return errors.flatMap((error) => {
    const path = childPath(parent, inList ? Number(error.property) : error.property);
    const children = validatorFaults(error.children ?? [], path, Array.isArray(error.value));
    const own = ownFault(error, path);
    return own === undefined ? children : [own, ...children];
  });
}

function ownFault(error: ClassValidatorError, path: string): InputFault | undefined {
  const constraints = Object.entries(error.constraints ?? {});
  const [name, text] = constraints.find(([constraint]) => IS_TYPE.test(constraint)) ?? constraints[0] ?? [];
  if (name === undefined || text === undefined) return undefined;
  if (error.value === undefined) return { path, code: 'required', message: 'is required' };
  return { path, code: snakeCase(name), message: withoutSubject(text, error.property) };
}

/** A value of the wrong type breaks every rule at once; that of its type says the most. */
const IS_TYPE = /^is(?:String|Int|Number|Boolean|Array|Object|Defined|Uuid|In|Enum)$/;

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The validators' sentences name their field without its path; the path says it already. */
function withoutSubject(text: string, property: string): string {
  if (text.startsWith(`${property} `)) return text.slice(property.length + 1);
  return text.replace(`each value in ${property} `, 'each value ').replace(`${property} `, '');
}
