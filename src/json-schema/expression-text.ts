/** Whether a value is a string with an expression. Its value is then only known during an execution. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * Whether a string may be a single expression of any type. Also true for `{{ a }} and {{ b }}`, which is only checked
 * during an execution.
 */
export function mayBeWholeExpression(text: string): boolean {
  return /^\s*\{\{[^]*\}\}\s*$/.test(text);
}

export function holdsExpression(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasExpression(value);
  return Object.values(value).some(holdsExpression);
}
