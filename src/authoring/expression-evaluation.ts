import {
  compileExpression,
  ExpressionError,
  type ExpressionScope,
  ExpressionSyntaxError,
  type Json,
  type JsonObject,
} from '../expressions/index.js';

export type Evaluation =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /**
       * Position of the error: the number of characters before it in the expression. Null if the position is unknown.
       */
      readonly position: number | null;
      /** The part of the expression that caused the error, such as `input.name`. Null for a syntax error. */
      readonly path: string | null;
    };

const EMPTY_SCOPE: JsonObject = {
  input: null,
  nodes: {},
  session: { state: {} },
  workflow: {},
  execution: {},
  secrets: {},
};

export function trialScope(scope: JsonObject): ExpressionScope {
  return { ...EMPTY_SCOPE, ...scope };
}

/** Evaluates a CEL expression. The limits of computation and size are the same as in an execution. */
export function evaluateExpression(source: string, scope: JsonObject): Evaluation {
  try {
    return { ok: true, value: compileExpression(source).evaluate(trialScope(scope)) };
  } catch (error) {
    if (error instanceof ExpressionSyntaxError)
      return { ok: false, code: error.code, message: error.message, position: error.position, path: null };
    if (error instanceof ExpressionError)
      return {
        ok: false,
        code: error.code,
        message: error.message,
        position: placeOf(error.path, source),
        path: error.path,
      };
    throw error;
  }
}

/**
 * Number of characters before the path of an error in the expression. Null if the expression does not contain that path
 * literally.
 */
function placeOf(path: string | null, source: string): number | null {
  const at = path === null ? -1 : source.indexOf(path);
  return at < 0 ? null : Array.from(source.slice(0, at)).length;
}
