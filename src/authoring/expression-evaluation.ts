import {
  compileExpression,
  ExpressionError,
  type ExpressionScope,
  ExpressionSyntaxError,
  type Json,
  type JsonObject,
} from '../expressions/index.js';

/** The value of an expression, or why it has none. */
export type Evaluation =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      /** Characters before the error; null where it is about the data. */
      readonly position: number | null;
      /** What the error is about, as the expression writes it; null where it is about the syntax. */
      readonly path: string | null;
    };

/** What an expression reads where the caller gives nothing. */
const EMPTY_SCOPE: JsonObject = {
  input: null,
  nodes: {},
  session: { state: {} },
  workflow: {},
  execution: {},
  secrets: {},
};

/** Scope for an expression outside of an execution. Names that are not given are empty. */
export function trialScope(scope: JsonObject): ExpressionScope {
  return { ...EMPTY_SCOPE, ...scope };
}

/** Evaluates one expression on given data, within the limits of every expression. */
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

/** Where the path of an error is written in the expression; null where it is not written literally. */
function placeOf(path: string | null, source: string): number | null {
  const at = path === null ? -1 : source.indexOf(path);
  return at < 0 ? null : Array.from(source.slice(0, at)).length;
}
