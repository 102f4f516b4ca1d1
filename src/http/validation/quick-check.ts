import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;

interface FieldCheck {
  readonly name: string;
  /** Conditions of `@IsOptional` and `@ValidateIf`. The rules of the field apply only if all conditions are true. */
  readonly conditions: readonly ((object: unknown, value: unknown) => boolean)[];
  /** Functions that check the rules of the field. Null if the field has rules that only class-validator can check. */
  readonly rules: readonly ((object: object, value: unknown) => boolean)[] | null;
}

const checks = new Map<Type, readonly FieldCheck[]>();

/**
 * Checks an input faster than class-validator can. True means that the input is valid. False means that class-validator
 * must decide.
 */
export function surelyValid(type: Type, instance: object): boolean {
  let fields = checks.get(type);
  if (fields === undefined) {
    fields = fieldChecks(type);
    checks.set(type, fields);
  }
  return fields.every((field) => holds(field, instance));
}

function holds({ name, conditions, rules }: FieldCheck, instance: object): boolean {
  const value = (instance as Readonly<Record<string, unknown>>)[name];
  for (const condition of conditions) if (!condition(instance, value)) return true;
  return rules?.every((rule) => rule(instance, value)) ?? false;
}

function fieldChecks(type: Type): readonly FieldCheck[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...Map.groupBy(rules, (rule) => rule.propertyName)].map(([name, own]) => ({
    name,
    conditions: own.flatMap((rule) =>
      rule.type === 'conditionalValidation' ? (rule.constraints as FieldCheck['conditions']).slice(0, 1) : [],
    ),
    rules: fieldRules(own),
  }));
}

function fieldRules(own: Rules): FieldCheck['rules'] {
  const checked = own.filter(
    ({ type }) => type !== 'conditionalValidation' && type !== 'whitelistValidation',
  );
  if (checked.some(({ type, validateIf }) => type !== 'customValidation' || validateIf !== undefined))
    return null;
  return checked.flatMap((rule) =>
    getMetadataStorage()
      .getTargetValidatorConstraints(rule.constraintCls)
      .map(({ instance: constraint }) => {
        const passes = (object: object, value: unknown, whole: unknown): boolean =>
          constraint.validate(value, {
            targetName: object.constructor.name,
            property: rule.propertyName,
            object,
            value: whole,
            constraints: rule.constraints,
          }) === true;
        if (!rule.each) return (object: object, value: unknown) => passes(object, value, value);
        return (object: object, value: unknown) =>
          Array.isArray(value) && value.every((element) => passes(object, element, value));
      }),
  );
}
