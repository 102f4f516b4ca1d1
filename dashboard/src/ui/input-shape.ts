import { texts } from '../texts/en/workflow-input.ts';
type Schema = Readonly<Record<string, unknown>>;

interface Said {
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  /** Default value from the JSON Schema. */
  readonly preset: unknown;
}

/** Describes a form that is derived from the input schema of a workflow. */
export type InputShape = Said &
  (
    | { readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'json' }
    | { readonly kind: 'choice'; readonly options: readonly unknown[] }
    | { readonly kind: 'list'; readonly item: InputShape }
    | { readonly kind: 'object'; readonly fields: readonly (readonly [name: string, shape: InputShape])[] }
  );

/**
 * Values that the user has typed into a form: texts of controls, states of checkboxes, and lists or objects of such
 * values.
 */
export type Draft = string | boolean | readonly Draft[] | { readonly [name: string]: Draft };

/**
 * The JSON value that a form contains, undefined for an empty form, and the errors of its fields by path in the request
 * body.
 */
export interface ReadDraft {
  readonly value: unknown;
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * Derives a form from a JSON Schema. A part of the schema that no form control can represent becomes a field for JSON
 * text.
 */
export function inputShape(schema: unknown, label = texts.input, required = true): InputShape {
  const given = isRecord(schema) ? schema : {};
  const said = {
    label: textOf(given['title']) ?? label,
    hint: textOf(given['description']),
    required,
    preset: given['default'],
  };
  const options = given['enum'];
  if (Array.isArray(options)) return { ...said, kind: 'choice', options };
  switch (given['type']) {
    case 'string':
      return { ...said, kind: 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return { ...said, kind: given['type'] };
    case 'array':
      if (!isRecord(given['items'])) return { ...said, kind: 'json' };
      return { ...said, kind: 'list', item: inputShape(given['items'], texts.item) };
    case 'object':
      return objectShape(given, said);
    default:
      return { ...said, kind: 'json' };
  }
}

function objectShape(schema: Schema, said: Said): InputShape {
  const properties = schema['properties'];
  if (!isRecord(properties) || Object.keys(properties).length === 0) return { ...said, kind: 'json' };
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).map(
    ([name, property]) => [name, inputShape(property, name, required.includes(name))] as const,
  );
  return { ...said, kind: 'object', fields };
}

export function draftOf(shape: InputShape, value: unknown = shape.preset): Draft {
  switch (shape.kind) {
    case 'boolean':
      return value === true;
    case 'choice':
      return value === undefined ? '' : String(shape.options.findIndex((option) => isSame(option, value)));
    case 'list':
      return Array.isArray(value) ? value.map((item) => draftOf(shape.item, item)) : [];
    case 'object':
      return Object.fromEntries(
        shape.fields.map(([name, field]) => [
          name,
          draftOf(field, isRecord(value) && name in value ? value[name] : field.preset),
        ]),
      );
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
    case 'text':
    case 'number':
    case 'integer':
      return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Converts the typed values of a form to JSON. Only the service validates the result against the complete schema. */
export function readDraft(shape: InputShape, draft: Draft, path = 'input'): ReadDraft {
  switch (shape.kind) {
    case 'boolean':
      // A checkbox that is unchecked, optional and without a default adds no value to the JSON.
      return good(
        draft === true || shape.required || shape.preset !== undefined ? draft === true : undefined,
      );
    case 'choice':
      return good(draft === '' ? undefined : shape.options[Number(draft)]);
    case 'text':
      return good(draft === '' ? undefined : draft);
    case 'number':
    case 'integer': {
      const text = draftText(draft).trim();
      if (text === '') return good(undefined);
      const number = Number(text);
      return Number.isFinite(number)
        ? good(number)
        : { value: undefined, faults: { [path]: texts.mustBeNumber } };
    }
    case 'json':
      return readJson(draftText(draft), path);
    case 'list': {
      const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
      const read = items.map((item, index) => readDraft(shape.item, item, `${path}[${index}]`));
      const isLeftOut = items.length === 0 && !shape.required;
      return { value: isLeftOut ? undefined : read.map(({ value }) => value), faults: faultsOf(read) };
    }
    case 'object': {
      const fields = isRecord(draft) ? (draft as Readonly<Record<string, Draft>>) : {};
      const read = shape.fields.map(
        ([name, field]) => [name, readDraft(field, fields[name] ?? '', `${path}.${name}`)] as const,
      );
      const given = read.flatMap(([name, { value }]) =>
        value === undefined ? [] : [[name, value] as const],
      );
      return {
        value: given.length === 0 && !shape.required ? undefined : Object.fromEntries(given),
        faults: faultsOf(read.map(([, each]) => each)),
      };
    }
  }
}

/** Returns the paths of all form fields in the request body, including the entries of lists. */
export function pathsOf(shape: InputShape, draft: Draft, path = 'input'): readonly string[] {
  if (shape.kind === 'list') {
    const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
    return [path, ...items.flatMap((item, index) => pathsOf(shape.item, item, `${path}[${index}]`))];
  }
  if (shape.kind !== 'object') return [path];
  const fields = isRecord(draft) ? (draft as Readonly<Record<string, Draft>>) : {};
  return [
    path,
    ...shape.fields.flatMap(([name, field]) => pathsOf(field, fields[name] ?? '', `${path}.${name}`)),
  ];
}

export function draftText(draft: Draft): string {
  return typeof draft === 'string' ? draft : '';
}

function readJson(text: string, path: string): ReadDraft {
  if (text.trim() === '') return good(undefined);
  try {
    return good(JSON.parse(text));
  } catch {
    return { value: undefined, faults: { [path]: texts.notJson } };
  }
}

function good(value: unknown): ReadDraft {
  return { value, faults: {} };
}

function faultsOf(read: readonly ReadDraft[]): ReadDraft['faults'] {
  return Object.assign({}, ...read.map(({ faults }) => faults)) as ReadDraft['faults'];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
