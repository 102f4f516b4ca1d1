import { ExpressionCompiler } from './compiler.js';
import { type ExpressionScope, Frame } from './steps.js';
import { parseExpression } from './syntax.js';
import { Budget, ExpressionError, type TemplateBudget, checkSize, unwrap } from './value.js';
import type { Json } from './json.js';

export type { ExpressionScope } from './steps.js';

/**
 * Names of all variables that expressions can read. Each use of expressions, such as in hooks or loops, allows only
 * some of these variables.
 */
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
   * Evaluates the expression with limits on its computation and on the size of the value. The value may share objects
   * with `scope`, so callers must not change it. An optional without a value becomes null.
   * @param budget remaining budget of the template that contains the expression
   * @throws ExpressionError
   */
  evaluate(scope: ExpressionScope, budget?: TemplateBudget): Json;
}

/**
 * Compiles a CEL expression. Unlike standard CEL, numbers are JSON numbers, so `7 / 2` is 3.5.
 * @param roots names of the variables that the expression may read
 * @throws ExpressionSyntaxError
 */
export function compileExpression(source: string, roots: readonly string[] = SCOPE_ROOTS): Expression {
  const compiler = new ExpressionCompiler(roots);
  const step = compiler.compile(parseExpression(source));
  return {
    source,
    references: compiler.references,
    evaluate: (scope, budget) => {
      try {
        const value = unwrap(step(new Frame(scope, new Budget(budget))));
        if (typeof value !== 'number' && typeof value !== 'boolean') checkSize(value);
        return value;
      } catch (error) {
        // The depth of an expression is limited, so a stack overflow comes from deeply nested data.
        if (error instanceof RangeError)
          throw new ExpressionError('The data of the expression is nested too deeply.');
        throw error;
      }
    },
  };
}
