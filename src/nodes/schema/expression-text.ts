/** Returns true if a string contains an expression, so that its final value is not known yet. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * Returns true if a string may be a single expression, whose value may have any type. `{{ a }} and {{ b }}` also
 * matches; a false positive only defers the check to execution.
 */
export function mayBeWholeExpression(text: string): boolean {
  return /^\s*\{\{[^]*\}\}\s*$/.test(text);
}

/** Returns true if a value contains an expression at any depth. */
export function holdsExpression(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasExpression(value);
  return Object.values(value).some(holdsExpression);
}
