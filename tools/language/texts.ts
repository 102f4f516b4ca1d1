import {
  type BinaryExpression,
  type CallExpression,
  createScanner,
  createSourceFile,
  forEachChild,
  getDecorators,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isClassDeclaration,
  isComputedPropertyName,
  isConditionalExpression,
  isElementAccessExpression,
  isDecorator,
  isIdentifier,
  isJsxAttribute,
  isJsxText,
  isMethodDeclaration,
  isNewExpression,
  isParenthesizedExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isStringLiteral,
  isTemplateExpression,
  isTypeOfExpression,
  LanguageVariant,
  type NewExpression,
  type Node,
  type ObjectLiteralExpression,
  ScriptKind,
  ScriptTarget,
  type SourceFile,
  SyntaxKind,
} from 'typescript';
import { symbolAround, symbolAt } from './symbols.ts';

export type TextKind = 'comment' | 'paragraph' | 'test name' | 'interface text' | 'error message';

export interface ReadText {
  readonly kind: TextKind;
  readonly file: string;
  readonly line: number;
  /**
   * What readers see beside the text: the declaration that a comment describes or that contains a text, or the heading
   * above a paragraph. '' for test names, because a log of test results shows them alone.
   */
  readonly symbol: string;
  readonly text: string;
}

/** Names of object properties and JSX attributes whose values are visible in the user interface. */
const SHOWN = new Set(['summary', 'description', 'title', 'label', 'hint', 'aria-label']);
/**
 * Names of properties that only structure a JSON Schema or a response. The search for the name of a described object
 * skips these properties.
 */
const STRUCTURE = new Set([
  'schema',
  'items',
  'anyOf',
  'payload',
  'properties',
  'additionalProperties',
  'info',
]);
/** Files in which titles and descriptions are data of tests and benchmarks, not interface texts. */
const SHOWS_NOTHING = /^(?:test|tools\/bench)\//;
/** Folder of the catalogs that contain the strings of the dashboard. */
const CATALOGS = /^dashboard\/src\/texts\//;
const TEST_FUNCTIONS = new Set(['it', 'test']);
/** Minimum length of a text in characters. Shorter texts are mostly labels, and are ignored. */
const SHORTEST = 12;

/**
 * Returns the texts of a source file: first its comments, then test names, interface texts and error messages in source
 * order.
 * @param file path; its extension selects the parser
 */
export function textsOfSource(file: string, source: string): readonly ReadText[] {
  const tree = createSourceFile(file, source, ScriptTarget.Latest, true, scriptKind(file));
  const at = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const texts = commentsOf(tree, source).map(({ text, position }): ReadText => {
    return { kind: 'comment', file, line: at(position), symbol: symbolAt(tree, position), text };
  });
  const isSpec = file.endsWith('.spec.ts') || file.endsWith('.contract.ts');
  const shown = CATALOGS.test(file) ? catalogText : SHOWS_NOTHING.test(file) ? () => undefined : shownText;
  const visit = (node: Node): void => {
    const found = isSpec ? testName(node) : (errorMessage(node, tree) ?? shown(node));
    if (found !== undefined && found.text.length >= SHORTEST) {
      const { kind, text, context = '' } = found;
      const symbol = isSpec ? '' : symbolAround(node);
      texts.push({ kind, file, line: at(node.getStart(tree)), symbol, text: context + text });
    }
    forEachChild(node, visit);
  };
  visit(tree);
  return texts;
}

/** Returns the paragraphs and list items of a Markdown document. Code blocks, tables and headings are omitted. */
export function paragraphsOf(file: string, document: string): readonly ReadText[] {
  const withoutCode = document.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
  const texts: ReadText[] = [];
  let line = 1;
  let heading = '';
  for (const block of withoutCode.split(/\n(?=\n|[-*] |\d+\. )/)) {
    const text = block.trim().replaceAll(/\s*\n\s*/g, ' ');
    const leading = block.length - block.trimStart().length;
    const first = line + (block.slice(0, leading).match(/\n/g)?.length ?? 0);
    heading = /^#+ (.+)$/m.exec(block)?.[1] ?? heading;
    if (text.length >= 60 && !/^[#|<![]/.test(text))
      texts.push({ kind: 'paragraph', file, line: first, symbol: heading, text });
    line += (block.match(/\n/g)?.length ?? 0) + 1;
  }
  return texts;
}

interface Found {
  readonly kind: TextKind;
  readonly text: string;
  /** What readers see directly before the text, such as the name of a field. */
  readonly context?: string;
}

interface Comment {
  readonly text: string;
  readonly position: number;
}

/** Returns the comments of a source file. Consecutive line comments count as one comment. */
function commentsOf(tree: SourceFile, source: string): readonly Comment[] {
  const comments: { text: string; position: number; end: number; isLine: boolean }[] = [];
  const add = (position: number, end: number, isLine: boolean): void => {
    const raw = source.slice(position, end);
    const text = isLine ? raw.replace(/^\/\/+\s?/, '') : raw.replaceAll(/^\/\*+|\*+\/$|^\s*\*(?!\/)/gm, '');
    const clean = text.replaceAll(/\s+/g, ' ').trim();
    const last = comments.at(-1);
    if (isLine && last?.isLine === true && /^\s*$/.test(source.slice(last.end, position))) {
      last.text = `${last.text} ${clean}`;
      last.end = end;
    } else comments.push({ text: clean, position, end, isLine });
  };
  for (const { start, end, isLine } of commentRanges(tree, source)) add(start, end, isLine);
  return comments.filter(
    ({ text }) => text.length >= SHORTEST && !/^(?:@|eslint|oxlint|prettier|v8|c8)/.test(text),
  );
}

/**
 * Returns the positions of all comments. Only the text between tokens is scanned, because strings and JSX may contain
 * `//`.
 */
function commentRanges(
  tree: SourceFile,
  source: string,
): readonly { start: number; end: number; isLine: boolean }[] {
  const ranges: { start: number; end: number; isLine: boolean }[] = [];
  const scanner = createScanner(ScriptTarget.Latest, false, LanguageVariant.Standard, source);
  const scanTrivia = (from: number, to: number): void => {
    scanner.setText(source, from, to - from);
    for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFileToken; kind = scanner.scan())
      if (kind === SyntaxKind.SingleLineCommentTrivia || kind === SyntaxKind.MultiLineCommentTrivia)
        ranges.push({
          start: scanner.getTokenStart(),
          end: scanner.getTokenEnd(),
          isLine: kind === SyntaxKind.SingleLineCommentTrivia,
        });
  };
  const visit = (node: Node): void => {
    const children = node.getChildren(tree);
    if (children.length > 0) for (const child of children) visit(child);
    else if (!isJsxText(node)) scanTrivia(node.getFullStart(), node.getStart(tree, false));
  };
  visit(tree);
  return ranges;
}

function testName(node: Node): Found | undefined {
  if (!isCallExpression(node) || !TEST_FUNCTIONS.has(calledName(node))) return undefined;
  const text = literalText(node.arguments[0]);
  return text === undefined ? undefined : { kind: 'test name', text };
}

/**
 * Returns the name of the function that a test declaration calls: `it` for `it(...)`, `it.each(...)(...)` and
 * `it.skipIf(...)(...)`.
 */
function calledName({ expression }: CallExpression): string {
  if (isIdentifier(expression)) return expression.text;
  if (isPropertyAccessExpression(expression) && isIdentifier(expression.expression))
    return expression.name.text === 'each' || expression.name.text === 'skipIf'
      ? ''
      : expression.expression.text;
  if (isCallExpression(expression) && isPropertyAccessExpression(expression.expression)) {
    const { expression: owner } = expression.expression;
    return isIdentifier(owner) ? owner.text : '';
  }
  return '';
}

/** Returns the error message if the node is a string passed to `super` in an error class, or to `new ...Error(...)`. */
function errorMessage(node: Node, tree: SourceFile): Found | undefined {
  // Only the whole concatenation is an error message, not each of its parts.
  if (isPartOfConcatenation(node)) return undefined;
  const text = isConcatenation(node) ? concatenatedText(node) : literalText(node);
  if (text === undefined || !text.includes(' ') || isWithoutWords(text)) return undefined;
  if (isNounOfNotFoundError(node)) return { kind: 'error message', text: `The ${text} does not exist.` };
  for (let outer: Node | undefined = node.parent; outer !== undefined; outer = outer.parent) {
    if (isCallExpression(outer))
      return outer.expression.kind === SyntaxKind.SuperKeyword && isErrorClass(outer)
        ? { kind: 'error message', text }
        : undefined;
    if (isNewExpression(outer))
      return /(?:Error|Failure)$/.test(outer.expression.getText(tree))
        ? { kind: 'error message', text: withField(outer, node, text) }
        : undefined;
    if (outer.kind !== SyntaxKind.ConditionalExpression) return undefined;
  }
  return undefined;
}

/**
 * Returns the message of an error after the name of the invalid field. For
 * `new InvalidInputError('name', 'must not be empty')`, returns `name: must not be empty`.
 */
function withField(error: NewExpression, message: Node, text: string): string {
  const field = error.arguments?.[0];
  if (!/^[a-z]/.test(text) || field === undefined || field === message || field.end > message.pos)
    return text;
  return `${literalText(field) ?? placeholder(field)}: ${text}`;
}

/** Returns whether the node is the noun from which a `NotFoundError` creates its message. */
function isNounOfNotFoundError(node: Node): boolean {
  const { parent } = node;
  if (!(isCallExpression(parent) || isNewExpression(parent)) || parent.arguments?.[0] !== node) return false;
  if (isNewExpression(parent)) return parent.expression.getText() === 'NotFoundError';
  if (parent.expression.kind !== SyntaxKind.SuperKeyword) return false;
  return around(parent, isClassDeclaration)?.heritageClauses?.[0]?.getText() === 'extends NotFoundError';
}

function isErrorClass(node: Node): boolean {
  return /(?:Error|Failure)$/.test(around(node, isClassDeclaration)?.name?.text ?? '');
}

/** Returns the innermost node of a kind that contains the given node, or undefined. */
function around<Kind extends Node>(node: Node, isKind: (one: Node) => one is Kind): Kind | undefined {
  // The parent of a source file is undefined, although its TypeScript type does not allow undefined.
  for (let outer: Node | undefined = node; outer !== undefined; outer = outer.parent)
    if (isKind(outer)) return outer;
  return undefined;
}

/** Returns the text of a property in an object literal; undefined if the property is missing or has no literal value. */
function propertyText(object: ObjectLiteralExpression, name: string): string | undefined {
  const property = object.properties.filter(isPropertyAssignment).find((one) => one.name.getText() === name);
  return literalText(property?.initializer);
}

function shownText(node: Node): Found | undefined {
  if (isJsxText(node)) {
    const text = node.text.replaceAll(/\s+/g, ' ').trim();
    return text.includes(' ') ? { kind: 'interface text', text } : undefined;
  }
  const text = literalText(node);
  if (text === undefined || !text.includes(' ')) return undefined;
  const { parent } = node;
  if (!(isJsxAttribute(parent) || isPropertyAssignment(parent)) || !SHOWN.has(parent.name.getText()))
    return undefined;
  if (isJsxAttribute(parent)) return { kind: 'interface text', text };
  const described = describedBy(parent.parent);
  if (described === 'example') return undefined;
  return { kind: 'interface text', text, context: described === '' ? '' : `${described}: ` };
}

/**
 * Returns what an object with a description describes, as its readers see it: a field, parameter or command by its
 * name, or a response by its operation and status. Returns '' if the object has no name.
 */
function describedBy(object: ObjectLiteralExpression): string {
  const ownName = propertyText(object, 'name');
  if (ownName !== undefined) return ownName;
  let outer: Node = object.parent;
  while (
    (isPropertyAssignment(outer) && STRUCTURE.has(outer.name.getText())) ||
    (!isPropertyAssignment(outer) && !isDecorator(outer) && isInsideExpression(outer))
  )
    outer = outer.parent;
  if (isDecorator(outer)) return isPropertyDeclaration(outer.parent) ? outer.parent.name.getText() : '';
  if (!isPropertyAssignment(outer) || isComputedPropertyName(outer.name)) return '';
  const name = outer.name
    .getText()
    .replaceAll(/^'|'$/g, '')
    .replace(/^(.+)Schema$/, '$1');
  if (!/^\d{3}$/.test(name)) return name;
  const operation = operationAround(outer);
  return operation === '' ? `Response ${name}` : `${operation}, response ${name}`;
}

function isInsideExpression(node: Node): boolean {
  return (
    isObjectLiteralExpression(node) ||
    isCallExpression(node) ||
    node.kind === SyntaxKind.ArrayLiteralExpression ||
    node.kind === SyntaxKind.AsExpression ||
    node.kind === SyntaxKind.SatisfiesExpression ||
    node.kind === SyntaxKind.SpreadAssignment
  );
}

/** Returns the summary in the `@ApiOperation` of the method whose decorators contain the node, or ''. */
function operationAround(node: Node): string {
  const method = around(node, isMethodDeclaration);
  for (const { expression } of (method === undefined ? undefined : getDecorators(method)) ?? []) {
    if (!isCallExpression(expression) || expression.expression.getText() !== 'ApiOperation') continue;
    const [options] = expression.arguments;
    if (options !== undefined && isObjectLiteralExpression(options))
      return propertyText(options, 'summary') ?? '';
  }
  return '';
}

/** Returns the text of a string in a catalog, if the text has several words. Single words are ignored. */
function catalogText(node: Node): Found | undefined {
  const text = literalText(node);
  return text?.includes(' ') === true ? { kind: 'interface text', text } : undefined;
}

function literalText(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => placeholder(expression) + literal.text).join('')
    );
  return undefined;
}

/**
 * Returns the name of a value in braces: `{status}` for `this.status`, `quoted(status)`, `status.join(', ')` and
 * `status ?? 0`; `…` for a value without a name.
 */
function placeholder(value: Node): string {
  if (isIdentifier(value)) return `{${value.text}}`;
  if (isPropertyAccessExpression(value)) return `{${value.name.text}}`;
  if (isBinaryExpression(value)) return firstNamed(value.left, value.right);
  if (
    isElementAccessExpression(value) ||
    isTypeOfExpression(value) ||
    isAwaitExpression(value) ||
    isParenthesizedExpression(value)
  )
    return placeholder(value.expression);
  // The second alternative is preferred, because it is mostly the plural, as in `n === 1 ? 'event' :
  // 'events'`.
  if (isConditionalExpression(value))
    return (
      [value.whenFalse, value.whenTrue].map(literalText).find((text) => text !== undefined && text !== '') ??
      placeholder(value.whenFalse)
    );
  if (!isCallExpression(value)) return '…';
  const { expression, arguments: values } = value;
  return isPropertyAccessExpression(expression)
    ? firstNamed(...values, expression.expression)
    : firstNamed(...values, expression);
}

/** Returns whether a text consists only of placeholders and punctuation, so that there is nothing to read. */
function isWithoutWords(text: string): boolean {
  return !/\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''));
}

function firstNamed(...values: readonly Node[]): string {
  return values.map(placeholder).find((named) => named !== '…') ?? '…';
}

function isPartOfConcatenation({ parent }: Node): boolean {
  // The parent of a source file is undefined, although its TypeScript type does not allow undefined.
  return parent !== undefined && isConcatenation(parent);
}

function isConcatenation(node: Node): node is BinaryExpression {
  return isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken;
}

/** Returns the text of a concatenation, with a placeholder for each operand that is no literal. */
function concatenatedText(node: Node): string {
  return isConcatenation(node)
    ? concatenatedText(node.left) + concatenatedText(node.right)
    : (literalText(node) ?? placeholder(node));
}

function scriptKind(file: string): ScriptKind {
  if (file.endsWith('.tsx')) return ScriptKind.TSX;
  return /\.m?js$/.test(file) ? ScriptKind.JS : ScriptKind.TS;
}
