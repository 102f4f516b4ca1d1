import type { Type } from '@nestjs/common';
import { TransformationType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

export interface InputField {
  /** Input class of the object, or of the objects in a list, from `@Type`. Undefined for other fields. */
  readonly nested: Type | undefined;
  /** Type of the field in TypeScript, from the metadata that the compiler emits. Undefined if there is no metadata. */
  readonly declared: unknown;
  /** Type of the elements of a list, from `@Type`. Values in a query are converted to this type. */
  readonly element: unknown;
  /** Whether the field may be null. An optional field that is not nullable may be omitted, but not be null. */
  readonly nullable: boolean;
  readonly optional: boolean;
  readonly transform: (value: unknown, plain: object) => unknown;
}

export type InputShape = ReadonlyMap<string, InputField>;

const shapes = new Map<Type, InputShape>();

/**
 * The fields of an input class that have a decorator of class-validator. Of the decorators of class-transformer, only
 * `@Type` and `@Transform` have an effect.
 */
export function inputShape(type: Type): InputShape {
  let shape = shapes.get(type);
  if (shape === undefined) {
    shape = readShape(type);
    shapes.set(type, shape);
  }
  return shape;
}

function readShape(type: Type): InputShape {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const byName = Map.groupBy(rules, (rule) => rule.propertyName);
  return new Map(
    [...byName].map(([name, fieldRules]) => {
      const kinds = new Set(fieldRules.map((rule) => rule.type));
      const element: unknown = defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction?.();
      const field: InputField = {
        nested: kinds.has('nestedValidation') && isClass(element) ? element : undefined,
        declared: Reflect.getMetadata('design:type', type.prototype as object, name),
        element,
        nullable: isNullable(type, name),
        optional: kinds.has('conditionalValidation'),
        transform: transformOf(type, name),
      };
      return [name, field];
    }),
  );
}

function transformOf(type: Type, name: string): InputField['transform'] {
  const transforms = defaultMetadataStorage.findTransformMetadatas(
    type,
    name,
    TransformationType.PLAIN_TO_CLASS,
  );
  return (value, plain) =>
    transforms.reduce<unknown>(
      (current, { transformFn }) =>
        transformFn({
          value: current,
          key: name,
          obj: plain,
          type: TransformationType.PLAIN_TO_CLASS,
          options: {},
        }),
      value,
    );
}

function isNullable(type: Type, name: string): boolean {
  const documented: unknown = Reflect.getMetadata(
    'swagger/apiModelProperties',
    type.prototype as object,
    name,
  );
  return (documented as { readonly nullable?: boolean } | undefined)?.nullable === true;
}

function isClass(value: unknown): value is Type {
  return (
    typeof value === 'function' &&
    value !== Object &&
    value !== Number &&
    value !== String &&
    value !== Boolean
  );
}
