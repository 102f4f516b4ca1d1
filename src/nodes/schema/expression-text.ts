/** Whether a value is a string with an expression. The final value is then unknown before the execution. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * Whether a string may be a single expression, whose value may have any type. Also true for `{{ a }} and {{ b }}`; then
 * the value is checked only during the execution.
 */
export function mayBeWholeExpression(text: string): boolean {
  return /^\s*\{\{[^]*\}\}\s*$/.test(text);
}

/** Whether a value contains an expression at any depth. */
export function holdsExpression(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasExpression(value);
  return Object.values(value).some(holdsExpression);
}
