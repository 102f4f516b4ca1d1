import type { Type } from '@nestjs/common';
import { inputShape } from '../validation/input-shape.js';

/** By input class: the class that documents the reads. */
const views = new Map<object, () => Type>();
/** Where @nestjs/swagger keeps the names of documented fields, each after a colon. */
const DOCUMENTED_FIELDS = 'swagger/apiModelPropertiesArray';

/**
 * On the input class of a PUT: fields that a read returns and a client cannot set are ignored, so that a read can be
 * sent back. Fields that no read returns are refused.
 * @param view the class that documents the reads
 */
export function IgnoresReadOnly(view: () => Type): ClassDecorator {
  return (target) => void views.set(target, view);
}

/** A body without the fields that its input class ignores. */
export function withoutReadOnly(type: Type, body: object): object {
  const view = views.get(type);
  if (view === undefined) return body;
  const shape = inputShape(type);
  const documented = Reflect.getMetadata(DOCUMENTED_FIELDS, view().prototype as object) as readonly string[];
  const ignored = new Set(documented.map((name) => name.slice(1)).filter((name) => !shape.has(name)));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ignored.has(name)));
}
