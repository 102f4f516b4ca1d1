import { ExpressionCompiler } from './compiler.js';
import { type ExpressionScope, Frame } from './steps.js';
import { parseExpression } from './syntax.js';
import { ExpressionError, checkSize, unwrap } from './value.js';
import type { Json } from './json.js';

export type { ExpressionScope } from './steps.js';

/** Names of all variables that expressions can read. Each kind of expression may read some of them. */
export const SCOPE_ROOTS = [
  'input',
  'nodes',
  'session',
  'workflow',
  'execution',
  'secrets',
  'item',
  'index',
] as const;

export interface References {
  readonly roots: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

export interface Expression {
  readonly source: string;
  readonly references: References;
  /**
   * Evaluates the expression within limits of time and size. Callers must not change the value, which may share
   * objects with the scope. An optional without a value becomes null.
   *
   * @throws ExpressionError
   */
  evaluate(scope: ExpressionScope): Json;
}

/**
 * Compiles a CEL expression over JSON numbers: `7 / 2` is 3.5.
 *
 * @param roots names of the roots that the expression may read
 * @throws ExpressionSyntaxError
 */
export function compileExpression(source: string, roots: readonly string[] = SCOPE_ROOTS): Expression {
  const compiler = new ExpressionCompiler(roots);
  const step = compiler.compile(parseExpression(source));
  return {
    source,
    references: compiler.references,
    evaluate: (scope) => {
      try {
        const value = unwrap(step(new Frame(scope)));
        if (typeof value !== 'number' && typeof value !== 'boolean') checkSize(value);
        return value;
      } catch (error) {
        // Only deeply nested data can overflow the stack, because the depth of expressions is limited.
        if (error instanceof RangeError) throw new ExpressionError('The data is nested too deeply.');
        throw error;
      }
    },
  };
}
