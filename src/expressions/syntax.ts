import { Environment } from '@marcbachmann/cel-js';
import type { ASTNode, ParseError, SourceRange } from '@marcbachmann/cel-js';
import type { Json } from './json.js';

const MAX_SOURCE_LENGTH = 4096;

const MAX_QUOTE_LENGTH = 80;

/**
 * Only the parser of the CEL library is used. The library's evaluator distinguishes int from double, but JSON has one
 * type of number.
 */
const parser = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 2000, maxDepth: 100 },
});

const TOKEN_NAMES: ReadonlyMap<string, string> = new Map([
  ['EOF', 'the end'],
  ['IDENTIFIER', 'a name'],
  ['NUMBER', 'a number'],
  ['STRING', 'a string'],
  ['BOOLEAN', 'true or false'],
  ['NULL', '`null`'],
  ['IN', '`in`'],
  ['LPAREN', '`(`'],
  ['RPAREN', '`)`'],
  ['LBRACKET', '`[`'],
  ['RBRACKET', '`]`'],
  ['LBRACE', '`{`'],
  ['RBRACE', '`}`'],
  ['COMMA', '`,`'],
  ['COLON', '`:`'],
  ['DOT', '`.`'],
  ['QUESTION', '`?`'],
]);

/** Messages that replace unclear messages of the CEL parser, by error code. */
const SUMMARIES: ReadonlyMap<string, string> = new Map([
  ['limit_exceeded', 'it is nested too deeply or has too many parts'],
  ['invalid_macro_argument', 'the first argument of a loop or binding must be the name of a variable'],
]);

/** CEL functions that this service does not support, each with advice on what to use instead. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['matches', 'use contains, startsWith, endsWith, indexOf or split'],
  ['timestamp', 'times are ISO 8601 strings, which can be compared directly'],
  ['duration', 'use a number of seconds'],
  ['bytes', 'JSON has no bytes'],
  ['uint', 'use int'],
]);

export type ExpressionNode = ASTNode;

/** Thrown when an expression has a syntax error, or contains an unknown variable or function. */
export class ExpressionSyntaxError extends Error {
  override readonly name = 'ExpressionSyntaxError';

  constructor(
    readonly code: 'expression_syntax' | 'unknown_name',
    message: string,
    /** Index in the expression of the character at which the error is. */
    readonly position: number,
  ) {
    super(message);
  }
}

export function syntaxFault(node: ExpressionNode, message: string): ExpressionSyntaxError {
  return new ExpressionSyntaxError(
    'expression_syntax',
    `${message} (At character ${node.pos + 1}.)`,
    node.pos,
  );
}

export function unknownName(node: ExpressionNode, message: string): ExpressionSyntaxError {
  return new ExpressionSyntaxError('unknown_name', `${message} (At character ${node.pos + 1}.)`, node.pos);
}

/** Refusal of `{{ input.total > 1 }}` in a field that is an expression, such as the condition of a node. */
const WITH_BRACES =
  'This field is an expression as a whole: remove the braces `{{ }}` around the expression.';

/** @throws ExpressionSyntaxError */
export function parseExpression(source: string): ExpressionNode {
  if (source.trim() === '')
    throw new ExpressionSyntaxError('expression_syntax', 'The expression is empty.', 0);
  if (source.length > MAX_SOURCE_LENGTH) {
    const message = `The expression has ${source.length} characters. The maximum is ${MAX_SOURCE_LENGTH}.`;
    throw new ExpressionSyntaxError('expression_syntax', message, MAX_SOURCE_LENGTH);
  }
  try {
    return parser.parse(source).ast;
  } catch (error) {
    if (source.trimStart().startsWith('{{'))
      throw new ExpressionSyntaxError('expression_syntax', WITH_BRACES, 0);
    const { code, range, summary } = error as ParseError;
    const position = (range as SourceRange).start;
    const plain = summary.replace(/\b[A-Z]{2,}\b/g, (token) => TOKEN_NAMES.get(token) ?? token);
    const message = `Syntax error at character ${position + 1}: ${SUMMARIES.get(code) ?? plain}.`;
    throw new ExpressionSyntaxError('expression_syntax', message, position);
  }
}

/** The text of a syntax node that is a string literal. Null for other syntax nodes. */
export function constantText(node: ExpressionNode): string | null {
  return node.op === 'value' && typeof node.args === 'string' ? node.args : null;
}

/** @throws ExpressionSyntaxError for values that JSON does not have */
export function literalOf(
  node: ExpressionNode,
  value: Extract<ExpressionNode, { op: 'value' }>['args'],
): Json {
  if (value instanceof Uint8Array)
    throw syntaxFault(node, 'Bytes are not available, because JSON has no bytes.');
  if (typeof value !== 'bigint' && (typeof value !== 'object' || value === null)) return value;
  const whole = Number(value);
  if (!Number.isSafeInteger(whole))
    throw syntaxFault(node, 'The number is outside the range of whole numbers in JSON.');
  return whole;
}

/**
 * Text for a part of an expression in error messages: a path such as `input.customer.email`, or else the source text.
 * Shortened to 80 characters.
 */
export function pathOf(node: ExpressionNode): string {
  const path = fullPath(node);
  return path.length <= MAX_QUOTE_LENGTH ? path : `${path.slice(0, MAX_QUOTE_LENGTH)}...`;
}

function fullPath(node: ExpressionNode): string {
  switch (node.op) {
    case '.':
    case '.?':
      return `${fullPath(node.args[0])}.${node.args[1]}`;
    case '[]':
    case '[?]': {
      const [target, key] = node.args;
      const text = constantText(key);
      if (text === null) return `${fullPath(target)}[${sourceOf(key)}]`;
      return /^[A-Za-z_]\w*$/.test(text)
        ? `${fullPath(target)}.${text}`
        : `${fullPath(target)}[${JSON.stringify(text)}]`;
    }
    default:
      return sourceOf(node);
  }
}

function sourceOf(node: ExpressionNode): string {
  return node.input.slice(node.start, node.end);
}

export function checkArity(
  node: ExpressionNode,
  name: string,
  args: readonly ExpressionNode[],
  [min, max]: readonly [number, number],
): void {
  if (args.length >= min && args.length <= max) return;
  const wanted = min === max ? `${min}` : `${min} to ${max}`;
  throw syntaxFault(
    node,
    `\`${name}\` needs ${wanted} argument${wanted === '1' ? '' : 's'}, not ${args.length}.`,
  );
}

export function unknownCall(
  node: ExpressionNode,
  what: string,
  name: string,
  known: readonly string[],
): Error {
  const instead = REFUSED.get(name);
  if (instead !== undefined) return unknownName(node, `\`${name}\` is not available: ${instead}.`);
  return unknownName(node, `The ${what} \`${name}\` does not exist. Available: ${known.join(', ')}.`);
}
