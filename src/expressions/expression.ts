import { ExpressionCompiler } from './compiler.js';
import { type ExpressionScope, Frame } from './steps.js';
import { parseExpression } from './syntax.js';
import { ExpressionError, checkSize, unwrap } from './value.js';
import type { Json } from './json.js';

export type { ExpressionScope } from './steps.js';

/** Names of all roots: the variables that expressions can read. Each kind of expression may read only some of them. */
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

/** What an expression reads, known without evaluation. */
export interface References {
  readonly roots: ReadonlySet<string>;
  /** Ids of referenced nodes. */
  readonly nodes: ReadonlySet<string>;
  /** Names of referenced secrets. */
  readonly secrets: ReadonlySet<string>;
}

/** A compiled expression; it can be evaluated any number of times. */
export interface Expression {
  readonly source: string;
  readonly references: References;
  /**
   * Returns the value as JSON; null for an optional without a value. The value may share objects with the scope, so
   * callers must not change it. The time of the evaluation and the size of the value are limited.
   * @throws ExpressionError
   */
  evaluate(scope: ExpressionScope): Json;
}

/**
 * Compiles a CEL expression over JSON. Numbers are JSON numbers: `7 / 2` is 3.5. `int(x)` and `math.floor(x)` return
 * integers.
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
        // The stack overflowed. The depth of expressions is limited, but the depth of the data that they read is not.
        if (error instanceof RangeError) throw new ExpressionError('The data is nested too deeply.');
        throw error;
      }
    },
  };
}
