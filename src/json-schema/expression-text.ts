/**
 * Whether a value is a string that contains an expression. Only an execution can evaluate the expression, so the final
 * value is unknown here.
 */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * Whether a string may be a single expression, whose value can have any type. Also true for `{{ a }} and {{ b }}`,
 * because only the evaluation during an execution distinguishes such strings.
 */
export function mayBeWholeExpression(text: string): boolean {
  return /^\s*\{\{[^]*\}\}\s*$/.test(text);
}

export function holdsExpression(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasExpression(value);
  return Object.values(value).some(holdsExpression);
}
