import { isJsonObject, type Json } from './json.js';
import {
  type Budget,
  ExpressionError,
  checkListLength,
  checkTextLength,
  describeKind,
  equals,
  isList,
} from './value.js';

export type OperatorName = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';

/** Operator of an expression and the source texts of its operands, for error messages. */
export interface Site {
  readonly operator: string;
  readonly left: string;
  readonly right: string;
}

export type Operator = (budget: Budget, left: Json, right: Json, site: Site) => Json;

/**
 * The binary operators of expressions. An integer result beyond 2^53 - 1 is an error, because JavaScript would round
 * the number.
 */
export const OPERATORS: Readonly<Record<OperatorName, Operator>> = {
  '+': (budget, a, b, site) => {
    if (typeof a === 'number' && typeof b === 'number') return exact(a, b, a + b, site);
    if (typeof a === 'string' && typeof b === 'string') {
      checkTextLength(a.length + b.length);
      budget.spendText(a.length + b.length);
      return a + b;
    }
    if (isList(a) && isList(b)) {
      checkListLength(a.length + b.length);
      budget.spend(a.length + b.length);
      return [...a, ...b];
    }
    const hint = typeof a === 'string' || typeof b === 'string' ? '; string(x) converts a value to text' : '';
    throw wrongKinds('two numbers, two strings or two lists', a, b, site, hint);
  },
  '-': (_, a, b, site) => {
    if (typeof a === 'number' && typeof b === 'number') return exact(a, b, a - b, site);
    throw wrongKinds('two numbers', a, b, site);
  },
  '*': (_, a, b, site) => {
    if (typeof a === 'number' && typeof b === 'number') return exact(a, b, a * b, site);
    throw wrongKinds('two numbers', a, b, site);
  },
  '/': (_, a, b, site) => {
    if (typeof a !== 'number' || typeof b !== 'number') throw wrongKinds('two numbers', a, b, site);
    if (b === 0) throw new ExpressionError(`Division by zero: \`${site.right}\` is 0.`, site.right);
    return finite(a / b, site);
  },
  '%': (_, a, b, site) => {
    if (typeof a !== 'number' || typeof b !== 'number') throw wrongKinds('two numbers', a, b, site);
    if (b === 0) throw new ExpressionError(`Division by zero: \`${site.right}\` is 0.`, site.right);
    return finite(a % b, site);
  },
  '==': (budget, a, b) => equals(budget, a, b),
  '!=': (budget, a, b) => !equals(budget, a, b),
  '<': (budget, a, b, site) => compare(budget, a, b, site) < 0,
  '<=': (budget, a, b, site) => compare(budget, a, b, site) <= 0,
  '>': (budget, a, b, site) => compare(budget, a, b, site) > 0,
  '>=': (budget, a, b, site) => compare(budget, a, b, site) >= 0,
  in: (budget, a, b, site) => {
    if (isList(b)) {
      budget.spend(b.length);
      return b.some((element) => equals(budget, a, element));
    }
    if (isJsonObject(b) && typeof a === 'string') return Object.hasOwn(b, a);
    const hint = typeof b === 'string' ? '; use text.contains(part)' : '';
    throw wrongKinds('a list, or a string and a map', a, b, site, hint);
  },
};

/**
 * @returns a negative number, 0 or a positive number
 *
 * @throws ExpressionError unless both values are numbers, strings or bools
 */
export function compare(budget: Budget, a: Json, b: Json, site: Site): number {
  if (typeof a === 'string') budget.spendText(a.length);
  if (typeof a === typeof b && (typeof a === 'number' || typeof a === 'string' || typeof a === 'boolean')) {
    if (a === b) return 0;
    return a < (b as typeof a) ? -1 : 1;
  }
  throw wrongKinds('two numbers, two strings or two bools', a, b, site);
}

export function addNumbers(a: number, b: number, site: Site): number {
  return exact(a, b, a + b, site);
}

/** @throws ExpressionError unless the value is a number */
export function negate(value: Json, path: string): Json {
  if (typeof value === 'number') return 0 - value;
  throw new ExpressionError(`\`-\` needs a number, but \`${path}\` is ${describeKind(value)}.`, path);
}

/** @throws ExpressionError unless the value is a bool */
export function not(value: Json, path: string): Json {
  return !asBool(value, '!', path);
}

/** @throws ExpressionError for other values than a bool */
export function asBool(value: Json, operator: string, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ExpressionError(
    `\`${operator}\` needs a bool (true or false), but \`${path}\` is ${describeKind(value)}.`,
    path,
  );
}

function exact(a: number, b: number, result: number, site: Site): number {
  if (
    Number.isInteger(result) &&
    !Number.isSafeInteger(result) &&
    Number.isSafeInteger(a) &&
    Number.isSafeInteger(b)
  ) {
    throw new ExpressionError(
      `The result of \`${describe(site)}\` is outside the range of whole numbers in JSON.`,
      site.left,
    );
  }
  return finite(result, site);
}

/**
 * A numeric result as a JSON number. -0 becomes 0.
 * @throws ExpressionError for infinity and NaN, which JSON does not have
 */
function finite(result: number, site: Site): number {
  if (Number.isFinite(result)) return result + 0;
  throw new ExpressionError(`The result of \`${describe(site)}\` is not a finite number.`, site.left);
}

function describe(site: Site): string {
  return `${site.left} ${site.operator} ${site.right}`;
}

function wrongKinds(wanted: string, a: Json, b: Json, site: Site, hint = ''): ExpressionError {
  const got = `\`${site.left}\` is ${describeKind(a)} and \`${site.right}\` is ${describeKind(b)}`;
  return new ExpressionError(`\`${site.operator}\` needs ${wanted}, but ${got}${hint}.`, site.left);
}
