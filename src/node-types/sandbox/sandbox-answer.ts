import type { Json, JsonObject } from '../../expressions/index.js';
import type { RecordedValue } from '../../long-values/index.js';

/** What a sandboxed job came to. */
export type SandboxAnswer =
  | { readonly kind: 'output'; readonly output: RecordedValue; readonly logs: readonly string[] }
  | SandboxFailure
  /** Its output is nested deeper than outputs may be. */
  | { readonly kind: 'too_deep' }
  /** It was cut off by the end of the service. */
  | { readonly kind: 'interrupted' };

export interface SandboxFailure {
  readonly kind: 'failure';
  readonly reason: SandboxFailureReason;
  readonly message: string;
  /** Where in the program, and what it logged. */
  readonly details: JsonObject;
}

/**
 * Why there is no output: the program failed, its result is no JSON, it waits for what never comes, it ran out of
 * time or memory, or its process ended for another reason.
 */
export type SandboxFailureReason = (typeof FAILURE_REASONS)[number];

export const FAILURE_REASONS = [
  'error',
  'invalid_output',
  'never_resolved',
  'timeout',
  'memory_exceeded',
  'process_died',
] as const;

export function sandboxFailure(
  reason: SandboxFailureReason,
  message: string,
  details: JsonObject = {},
): SandboxFailure {
  return { kind: 'failure', reason, message, details };
}

/** Reads the line that a process answered with; null where it is none, as from one that was taken over. */
export function readAnswer(line: string): SandboxAnswer | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { kind, output, logs, reason, message, details } = value;
  if (kind === 'output' && output !== undefined && Array.isArray(logs) && logs.every(isString))
    return { kind, output: output as Json, logs };
  const known = FAILURE_REASONS.find((one) => one === reason);
  if (kind === 'failure' && known !== undefined && isString(message) && isObject(details))
    return sandboxFailure(known, message, details as JsonObject);
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
