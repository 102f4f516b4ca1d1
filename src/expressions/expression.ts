import { ExpressionCompiler } from './compiler.js';
import { type ExpressionScope, Frame } from './steps.js';
import { parseExpression } from './syntax.js';
import { ExpressionError, checkSize, unwrap } from './value.js';
import type { Json } from './json.js';

export type { ExpressionScope } from './steps.js';

/** Everything that an expression may read. What is in scope at one place is a part of these. */
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

/** What an expression reads, known without evaluating it. */
export interface References {
  readonly roots: ReadonlySet<string>;
  /** Ids of nodes. */
  readonly nodes: ReadonlySet<string>;
  /** Names of secrets. */
  readonly secrets: ReadonlySet<string>;
}

/** An expression that can be evaluated any number of times. */
export interface Expression {
  readonly source: string;
  readonly references: References;
  /**
   * The value as JSON; null for an optional without a value. It may share parts with the scope. Bounded in
   * time and size. Throws `ExpressionError`.
   */
  evaluate(scope: ExpressionScope): Json;
}

/**
 * Reads a CEL expression over JSON. Numbers are JSON numbers: `7 / 2` is 3.5, and `int(x)` or `math.floor(x)`
 * makes a whole one. `roots` are the names in scope. Throws `ExpressionSyntaxError`.
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
        // The stack bounds the depth of the data that is read: a result is bounded before it is given out.
        if (error instanceof RangeError) throw new ExpressionError('The data is nested too deeply.');
        throw error;
      }
    },
  };
}
