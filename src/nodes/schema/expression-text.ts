/** Whether a text has an expression in it, and is thus not yet what it will be. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/**
 * Whether a text may be one expression and nothing else, and so become any type. `{{ a }} and {{ b }}` may
 * too, as far as this looks; erring on this side accepts a definition that a run then checks.
 */
export function mayBeWholeExpression(text: string): boolean {
  return /^\s*\{\{[^]*\}\}\s*$/.test(text);
}

/** Whether an expression stands anywhere in a value. */
export function holdsExpression(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return hasExpression(value);
  return Object.values(value).some(holdsExpression);
}
