export { compileExpression, type Expression } from './expression.js';
export { at, type Fault } from './fault.js';
export { isJsonObject, type Json, type JsonObject } from './json.js';
export type { ExpressionScope } from './steps.js';
export { ExpressionSyntaxError } from './syntax.js';
export { compileTemplate, type Template } from './template.js';
export { checkSize, describeKind, ExpressionError, isList } from './value.js';
