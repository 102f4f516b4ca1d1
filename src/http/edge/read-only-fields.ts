import type { Type } from '@nestjs/common';
import { inputShape } from '../validation/input-shape.js';

/** Maps the class of a PUT body to the class that documents responses for the same resource in OpenAPI. */
const views = new Map<object, () => Type>();
/** Metadata key under which @nestjs/swagger stores the names of documented fields. Each name begins with a colon. */
const DOCUMENTED_FIELDS = 'swagger/apiModelPropertiesArray';

/**
 * Class decorator for PUT bodies: fields that exist only in responses are ignored. A client can therefore send a
 * response back as a PUT body.
 * @param view returns the class that documents the resource
 */
export function IgnoresReadOnly(view: () => Type): ClassDecorator {
  return (target) => void views.set(target, view);
}

/** A copy of a PUT body without the fields that exist only in responses. */
export function withoutReadOnly(type: Type, body: object): object {
  const view = views.get(type);
  if (view === undefined) return body;
  const shape = inputShape(type);
  const documented = Reflect.getMetadata(DOCUMENTED_FIELDS, view().prototype as object) as readonly string[];
  const ignored = new Set(documented.map((name) => name.slice(1)).filter((name) => !shape.has(name)));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.has(name)));
}
