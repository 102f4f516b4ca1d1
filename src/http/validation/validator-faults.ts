import { getMetadataStorage, type ValidationError as ClassValidatorError } from 'class-validator';
import { type InputFault, MAX_REPORTED_FAULTS } from '../../errors/index.js';
import { childPath } from './field-path.js';
import type { InputSource } from './input-reading.js';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;
type Rule = Rules[number];

/**
 * Converts errors of class-validator to errors of the API, at most one for each field or list element. Each error has
 * the complete path of its field. In a query, an error of a list element has the path of the parameter.
 * @param errors errors created with `validationError.target`
 */
export function validatorFaults(
  errors: readonly ClassValidatorError[],
  source: InputSource,
  parent = '',
  inList = false,
): readonly InputFault[] {
  return errors.flatMap((error) => {
    const path = childPath(parent, inList ? Number(error.property) : error.property);
    const children = validatorFaults(error.children ?? [], source, path, Array.isArray(error.value));
    const own =
      source === 'body' && Array.isArray(error.value) ? listFaults(error, path) : fieldFaults(error, path);
    return [...own, ...children];
  });
}

function fieldFaults(
  error: ClassValidatorError,
  path: string,
  constraints = Object.entries(error.constraints ?? {}),
): readonly InputFault[] {
  const [name, text] = mostTelling(constraints) ?? [];
  if (name === undefined || text === undefined) return [];
  if (error.value === undefined) return [{ path, code: 'required', message: 'is required' }];
  return [{ path, code: snakeCase(name), message: withoutSubject(text, error.property) }];
}

function listFaults(error: ClassValidatorError, path: string): readonly InputFault[] {
  const elementRules = elementRulesOf(error);
  const names = new Set(elementRules.map(ruleName));
  const constraints = Object.entries(error.constraints ?? {}).filter(([name]) => !names.has(name));
  const faults = [...fieldFaults(error, path, constraints)];
  for (const [index, element] of (error.value as readonly unknown[]).entries()) {
    if (faults.length >= MAX_REPORTED_FAULTS) break;
    const broken = elementRules
      .filter((rule) => !passes(rule, error, element))
      .map((rule): [string, string] => [
        ruleName(rule),
        error.constraints?.[ruleName(rule)] ?? 'is not valid',
      ]);
    const [name, text] = mostTelling(broken) ?? [];
    if (name !== undefined && text !== undefined)
      faults.push({
        path: childPath(path, index),
        code: snakeCase(name),
        message: withoutSubject(text, error.property),
      });
  }
  return faults;
}

/** Returns the validation rules that apply to each element of a list field (`each: true`). */
function elementRulesOf({ target, property }: ClassValidatorError): Rules {
  if (target === undefined) return [];
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', false, false)
    .filter(
      ({ propertyName, each, type }) => propertyName === property && each && type === 'customValidation',
    );
}

function passes(rule: Rule, { target, property, value }: ClassValidatorError, element: unknown): boolean {
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .every(
      ({ instance }) =>
        instance.validate(element, {
          targetName: target?.constructor.name ?? '',
          property,
          object: target ?? {},
          value: value as unknown,
          constraints: rule.constraints,
        }) === true,
    );
}

function ruleName(rule: Rule): string {
  return getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls)[0]?.name ?? rule.type;
}

/** Names of the rules that check the type of a value. If the type is wrong, errors of other rules are not reported. */
const IS_TYPE = /^is(?:String|Int|Number|Boolean|Array|Object|Defined|Uuid|In|Enum)$/;

function mostTelling(
  constraints: readonly (readonly [string, string])[],
): readonly [string, string] | undefined {
  return constraints.find(([name]) => IS_TYPE.test(name)) ?? constraints[0];
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Removes the name of the field from an error message, because the path of the error already contains the name. */
function withoutSubject(text: string, property: string): string {
  if (text.startsWith(`${property} `)) return text.slice(property.length + 1);
  return text.replace(`each value in ${property} `, '').replace(`${property} `, '');
}
