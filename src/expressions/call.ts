import { type Budget, type Value, ExpressionError, describeKind, isList } from './value.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';

export interface Call {
  readonly budget: Budget;
  readonly name: string;
  /** Source text of the method's receiver, or of the function's first argument. Error messages contain it. */
  readonly path: string;
}

interface Callable {
  readonly arity: readonly [number, number];
}

export interface ExpressionFunction extends Callable {
  readonly run: (call: Call, args: readonly Json[]) => Value;
}

export interface ExpressionMethod extends Callable {
  readonly run: (call: Call, target: Json, args: readonly Json[]) => Value;
}

type Run<T> = (call: Call, target: T, args: readonly Json[]) => Value;

/**
 * @param min minimum number of arguments
 *
 * @param max maximum number of arguments
 */
export function onString(min: number, max: number, run: Run<string>): ExpressionMethod {
  return { arity: [min, max], run: narrowed(isString, 'string', run) };
}

/**
 * @param min minimum number of arguments
 *
 * @param max maximum number of arguments
 */
export function onList(min: number, max: number, run: Run<readonly Json[]>): ExpressionMethod {
  return { arity: [min, max], run: narrowed(isList, 'list', run) };
}

export function onMap(run: Run<JsonObject>): ExpressionMethod {
  return { arity: [0, 0], run: narrowed(isJsonObject, 'map', run) };
}

function narrowed<T extends Json>(
  accepts: (value: Json) => value is T,
  kind: string,
  run: Run<T>,
): ExpressionMethod['run'] {
  return (call, target, args) => {
    if (accepts(target)) return run(call, target, args);
    throw refusal(call, `works on a ${kind}, but \`${call.path}\` is ${describeKind(target)}`);
  };
}

function isString(value: Json): value is string {
  return typeof value === 'string';
}

/** @param reason end of a sentence that starts with the name of the function */
export function refusal(call: Call, reason: string): ExpressionError {
  return new ExpressionError(`\`${call.name}\` ${reason}.`, call.path);
}

/** @throws ExpressionError if the argument is not a string */
export function textArgument(call: Call, args: readonly Json[], index: number): string {
  const value = args[index];
  if (typeof value === 'string') return value;
  throw refusal(call, `needs a string as argument ${index + 1}`);
}

/**
 * The integer argument at `index`, or `fallback` if the caller omitted the argument.
 * @throws ExpressionError if the argument is not a non-negative integer
 */
export function indexArgument(call: Call, args: readonly Json[], index: number, fallback: number): number {
  const value = index < args.length ? args[index] : fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw refusal(call, `needs a whole number from 0 as argument ${index + 1}`);
}
