/** Whether a value is a string with an expression, so that its final value is unknown before the execution. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * Whether a string may be a single expression, whose value may have any type. `{{ a }} and {{ b }}` also matches;
 * such a false match only delays the check until the execution.
 */
export function mayBeWholeExpression(text: string): boolean {
  return /^\s*\{\{[^]*\}\}\s*$/.test(text);
}

/** Whether a value contains an expression at any depth. */
export function holdsExpression(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasExpression(value);
  return Object.values(value).some(holdsExpression);
}
