import type { Json, JsonObject } from '../../expressions/index.js';
import type { RecordedValue } from '../../long-values/index.js';

export type SandboxAnswer =
  | { readonly kind: 'output'; readonly output: RecordedValue; readonly logs: readonly string[] }
  | SandboxFailure
  /** Answer to a job whose output exceeds the maximum nesting depth. */
  | { readonly kind: 'too_deep' }
  /** Answer to a job that was stopped by the shutdown of the service. */
  | { readonly kind: 'interrupted' };

export interface SandboxFailure {
  readonly kind: 'failure';
  readonly reason: SandboxFailureReason;
  readonly message: string;
  /** Details of the failure, such as the line of the error in the program and the logs of the job. */
  readonly details: JsonObject;
}

/** Reason why a job has no output: an error of the program, an exhausted limit, or the death of the process. */
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

/**
 * Parses a line from a sandboxed process. Returns null for an invalid answer, for example from a compromised process.
 */
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
