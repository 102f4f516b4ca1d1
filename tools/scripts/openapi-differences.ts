/** Finds differences between two OpenAPI 3.0 documents that break existing clients of the API. */

import {
  asArray,
  asObject,
  both,
  type Direction,
  flattened,
  isObject,
  type JsonObject,
  nameOf,
  objectAt,
  optionsOf,
  type Sides,
  typeName,
  typesFit,
  valueDifferences,
} from './openapi-schema.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * @returns one line per difference, such as `GET /v1/workflows: no longer accepts the query
 * parameter "tag"`
 */
export function breakingDifferences(before: JsonObject, after: JsonObject): readonly string[] {
  return new Comparison({ before, after }).lines();
}

class Comparison {
  private readonly found = new Set<string>();
  /**
   * Pairs of schemas whose comparison has started. A pair is compared only once, so that recursive schemas do not loop
   * forever.
   */
  private readonly seen = new Set<string>();
  private readonly documents: Sides<JsonObject>;

  constructor(documents: Sides<JsonObject>) {
    this.documents = documents;
  }

  lines(): readonly string[] {
    const afterPaths = new Map(
      Object.entries(objectAt(this.documents.after, 'paths')).map(([path, item]) => [shapeOf(path), item]),
    );
    for (const [path, item] of Object.entries(objectAt(this.documents.before, 'paths')))
      for (const method of METHODS) {
        const before = asObject(item)[method];
        if (before === undefined) continue;
        const name = `${method.toUpperCase()} ${path}`;
        const after = asObject(afterPaths.get(shapeOf(path)))[method];
        if (after === undefined) this.found.add(`${name}: is removed`);
        else this.operation(name, { before: asObject(before), after: asObject(after) });
      }
    return [...this.found];
  }

  private operation(name: string, sides: Sides<JsonObject>): void {
    const isOpen = both(sides, ({ security }) => asArray(security).some((one) => isEmpty(asObject(one))));
    if (isOpen.before && !isOpen.after) this.found.add(`${name}: asks for a credential`);
    this.parameters(name, both(sides, parametersOf));
    this.requestBody(
      name,
      both(sides, ({ requestBody }) => requestBody),
    );
    this.responses(
      name,
      both(sides, ({ responses }) => asObject(responses)),
    );
  }

  private parameters(name: string, { before, after }: Sides<ReadonlyMap<string, JsonObject>>): void {
    for (const [key, parameter] of after)
      if (
        parameter['required'] === true &&
        before.get(key)?.['required'] !== true &&
        parameter['in'] !== 'path'
      )
        this.found.add(`${name}: requires the ${key}`);
    for (const [key, parameter] of before) {
      const now = after.get(key);
      // A removed header breaks no client, because the service ignores unknown headers. A removed path parameter
      // changes the path, so the comparison of paths already reports the removal.
      if (now === undefined) {
        if (parameter['in'] === 'query') this.found.add(`${name}: no longer accepts the ${key}`);
      } else this.schema('request', `${name} ${key}`, { before: parameter['schema'], after: now['schema'] });
    }
  }

  private requestBody(name: string, sides: Sides<unknown>): void {
    const { before, after } = this.resolved(sides);
    if (sides.after === undefined) {
      if (sides.before !== undefined) this.found.add(`${name}: no longer accepts a body`);
      return;
    }
    if (after['required'] === true && before['required'] !== true) this.found.add(`${name}: requires a body`);
    this.content('request', `${name} body`, { before, after });
  }

  private responses(name: string, { before, after }: Sides<JsonObject>): void {
    for (const [status, response] of Object.entries(before)) {
      const now = after[status];
      if (now === undefined) {
        if (status.startsWith('2')) this.found.add(`${name}: no longer answers ${status}`);
        continue;
      }
      const resolved = this.resolved({ before: response, after: now });
      const headers = both(resolved, (one) => new Set(Object.keys(objectAt(one, 'headers')).map(lowerCase)));
      for (const header of headers.before)
        if (!headers.after.has(header))
          this.found.add(`${name} ${status}: no longer has the header ${header}`);
      this.content('response', `${name} ${status}`, resolved);
    }
  }

  private content(direction: Direction, where: string, { before, after }: Sides<JsonObject>): void {
    for (const [type, media] of Object.entries(objectAt(before, 'content'))) {
      const now = objectAt(after, 'content')[type];
      if (now === undefined) this.found.add(`${where}: has no ${type}`);
      else
        this.schema(direction, where, { before: asObject(media)['schema'], after: asObject(now)['schema'] });
    }
  }

  private schema(direction: Direction, where: string, sides: Sides<unknown>): void {
    const names = both(sides, nameOf);
    if (names.before !== undefined && names.after !== undefined) {
      const pair = [direction, names.before, names.after].join(' ');
      if (this.seen.has(pair)) return;
      this.seen.add(pair);
    }
    const { before, after } = this.resolved(sides);
    const options = both({ before, after }, optionsOf);
    if (options.before.length > 1 || options.after.length > 1) {
      this.options(direction, where, options);
      return;
    }
    const add = (what: string): void => void this.found.add(`${where}: ${what}`);
    if (!typesFit(direction, { before, after })) {
      add(`is ${typeName(after)}, not ${typeName(before)}`);
      return;
    }
    for (const line of valueDifferences(direction, { before, after })) add(line);
    this.properties(direction, where, { before, after });
    const inner = both({ before, after }, ({ items }) => items);
    if (inner.before !== undefined && inner.after !== undefined) this.schema(direction, `${where}[]`, inner);
    const values = both({ before, after }, ({ additionalProperties }) => additionalProperties);
    if (direction === 'request' && values.after === false && (values.before ?? false) !== false)
      add('accepts no additional fields');
    if (isObject(values.before) && isObject(values.after)) this.schema(direction, `${where}.*`, values);
  }

  private properties(direction: Direction, where: string, { before, after }: Sides<JsonObject>): void {
    const properties = both({ before, after }, (schema) => objectAt(schema, 'properties'));
    const required = both({ before, after }, (schema) => new Set(asArray(schema['required']).map(String)));
    for (const [name, schema] of Object.entries(properties.before)) {
      const path = `${where}.${name}`;
      const now = properties.after[name];
      if (now !== undefined) this.schema(direction, path, { before: schema, after: now });
      else if (direction === 'response') this.found.add(`${path}: is removed`);
      else if (after['additionalProperties'] === undefined || after['additionalProperties'] === false)
        this.found.add(`${path}: is no longer accepted`);
    }
    if (direction === 'request') {
      for (const name of required.after)
        if (!required.before.has(name)) this.found.add(`${where}.${name}: is required`);
    } else
      for (const name of required.before)
        if (!required.after.has(name) && name in properties.after)
          this.found.add(`${where}.${name}: may be absent`);
  }

  /**
   * Compares `oneOf` and `anyOf` options. A request must still accept every previous option, and a response must not
   * have a new option.
   */
  private options(direction: Direction, where: string, { before, after }: Sides<readonly unknown[]>): void {
    const [wanted, offered] = direction === 'request' ? [before, after] : [after, before];
    for (const [index, one] of wanted.entries()) {
      const fits = offered.some((other) => {
        const sides = direction === 'request' ? { before: one, after: other } : { before: other, after: one };
        const trial = new Comparison(this.documents);
        trial.schema(direction, where, sides);
        return trial.found.size === 0;
      });
      if (!fits)
        this.found.add(
          direction === 'request'
            ? `${where}: no longer accepts its option ${index + 1}`
            : `${where}: has a new option ${index + 1}`,
        );
    }
  }

  private resolved(sides: Sides<unknown>): Sides<JsonObject> {
    return {
      before: flattened(this.documents.before, sides.before),
      after: flattened(this.documents.after, sides.after),
    };
  }
}

function parametersOf({ parameters }: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    asArray(parameters).map((one) => {
      const parameter = asObject(one);
      const name = String(parameter['name']);
      const shown = parameter['in'] === 'header' ? name.toLowerCase() : name;
      return [`${String(parameter['in'])} parameter "${shown}"`, parameter];
    }),
  );
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '{}');
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}
