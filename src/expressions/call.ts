import { type Budget, type Value, ExpressionError, describeKind, isList, isMap } from './value.js';
import type { Json, JsonObject } from './json.js';

/** A call being evaluated: what it may spend and how it is written. */
export interface Call {
  readonly budget: Budget;
  readonly name: string;
  /** The receiver, or the first argument of a function, as the expression writes it. */
  readonly path: string;
}

interface Callable {
  /** Fewest and most arguments. */
  readonly arity: readonly [number, number];
}

export interface ExpressionFunction extends Callable {
  readonly run: (call: Call, args: readonly Json[]) => Value;
}

export interface ExpressionMethod extends Callable {
  readonly run: (call: Call, target: Json, args: readonly Json[]) => Value;
}

type Run<T> = (call: Call, target: T, args: readonly Json[]) => Value;

/** A method of strings with this many arguments. */
export function onString(min: number, max: number, run: Run<string>): ExpressionMethod {
  return { arity: [min, max], run: narrowed(isString, 'string', run) };
}

/** A method of lists with this many arguments. */
export function onList(min: number, max: number, run: Run<readonly Json[]>): ExpressionMethod {
  return { arity: [min, max], run: narrowed(isList, 'list', run) };
}

/** A method of maps without arguments. */
export function onMap(run: Run<JsonObject>): ExpressionMethod {
  return { arity: [0, 0], run: narrowed(isMap, 'map', run) };
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

/** The error of a call that cannot be done. `reason` completes the sentence that starts with its name. */
export function refusal(call: Call, reason: string): ExpressionError {
  return new ExpressionError(`\`${call.name}\` ${reason}.`, call.path);
}

/** An argument that is a string. */
export function textArgument(call: Call, args: readonly Json[], index: number): string {
  const value = args[index];
  if (typeof value === 'string') return value;
  throw refusal(call, `needs a string as argument ${index + 1}`);
}

/** An argument that is a whole number from 0; the fallback where it is left out. */
export function indexArgument(call: Call, args: readonly Json[], index: number, fallback: number): number {
  const value = index < args.length ? args[index] : fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw refusal(call, `needs a whole number from 0 as argument ${index + 1}`);
}
