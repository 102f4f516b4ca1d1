import { ValidationError } from '../errors/index.js';
import { compileTemplate, ExpressionError, type Json } from '../expressions/index.js';
import type { RequestDocument } from './hook-request.js';
import type { Hook } from './hook.js';

const ROOTS = ['request'];
const MAX_KEY_LENGTH = 255;

/**
 * Headers that identify repeated deliveries, in order of precedence. Ignored if the hook has a `deduplication`
 * template.
 */
const ID_HEADERS = ['webhook-id', 'x-github-delivery', 'idempotency-key'];

export interface RenderedHook {
  readonly input: Json;
  /** Deduplication key for the execution that the hook starts. Null if the hook has no `deduplication` template. */
  readonly deduplicationKey: string | null;
  /** Deduplication key of the execution that gets the signal. Null if the hook starts executions. */
  readonly executionKey: string | null;
  /**
   * Key that identifies repeated deliveries. Null if the request has no key; a request without a key never counts as
   * repeated.
   */
  readonly deliveryKey: string | null;
}

/** @throws ValidationError that lists all invalid templates */
export function requireTemplates({
  input,
  deduplication,
  signal,
}: Pick<Hook, 'input' | 'deduplication' | 'signal'>): void {
  const faults = [
    ...compiled(input, 'input').faults,
    ...compiled(deduplication, 'deduplication').faults,
    ...compiled(signal?.executionKey ?? null, 'signal.execution_key').faults,
  ].map(({ path, code, message }) => ({ path, code, message }));
  const [first, ...others] = faults;
  if (first !== undefined) throw new ValidationError([first, ...others], first.code);
}

/**
 * Renders the templates of a hook for one request.
 * @throws ValidationError if a template cannot be evaluated for the request, or if its value is not a valid key
 */
export function renderHook(hook: Hook, request: RequestDocument): RenderedHook {
  const deduplicationKey =
    hook.deduplication === null ? null : keyOf(hook.deduplication, 'deduplication', request);
  return {
    input: rendered(hook.input, 'input', request),
    deduplicationKey,
    executionKey:
      hook.signal === null ? null : keyOf(hook.signal.executionKey, 'signal.execution_key', request),
    deliveryKey:
      deduplicationKey === null ? headerKey(request) : deliveryKeyOf('deduplication', deduplicationKey),
  };
}

function headerKey({ headers }: RequestDocument): string | null {
  for (const name of ID_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return deliveryKeyOf(name, requireKey(value, name));
  }
  return null;
}

function deliveryKeyOf(source: string, key: string): string {
  return `${source}:${key}`;
}

function keyOf(template: string, path: string, request: RequestDocument): string {
  const value = rendered(template, path, request);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return requireKey(typeof value === 'string' ? value : '', path);
}

function requireKey(key: string, path: string): string {
  if (key.length > 0 && key.length <= MAX_KEY_LENGTH) return key;
  throw ValidationError.of(
    path,
    'invalid_key',
    `must evaluate to a string of 1 to ${MAX_KEY_LENGTH} characters, or to a number`,
  );
}

function rendered(template: Json, path: string, request: RequestDocument): Json {
  try {
    return compiled(template, path).template.render({ request });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw ValidationError.of(path, 'template_failed', `cannot be evaluated: ${error.message}`);
  }
}

function compiled(template: Json, path: string): ReturnType<typeof compileTemplate> {
  return compileTemplate(template, path, ROOTS);
}
