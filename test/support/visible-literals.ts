import {
  createSourceFile,
  forEachChild,
  isBinaryExpression,
  isCallExpression,
  isCaseClause,
  isElementAccessExpression,
  isExportDeclaration,
  isImportDeclaration,
  isJsxAttribute,
  isJsxElement,
  isJsxText,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
  type Node,
  ScriptTarget,
} from 'typescript';

/** A text in the code of the dashboard that users see, but that is not in a catalog of translatable texts. */
export interface VisibleLiteral {
  /** Line of the text in its file, starting at 1. */
  readonly line: number;
  /** The text. In a template literal, `…` replaces each expression. */
  readonly text: string;
}

/**
 * Names of attributes and properties whose values users see. Even a single lowercase word in them is a text for users.
 */
const SHOWN =
  /^(?:aria-(?:label|description)|alt|title|placeholder|label|ariaLabel|hint|description|header|word|noun|of|purpose|absent|done|meaning|deleteWarning)$/;
/** Names of attributes whose values users never see. */
const TECHNICAL =
  /^(?:className|id|type|role|to|href|rel|target|value|key|style|d|viewBox|transform|scope|path|autoComplete|inputMode|color|bgColor|maskColor|nodeColor)$/;
/** Comparison operators. A string that is compared is a value, not a text for users. */
const COMPARISON = /^(?:[!=]==|in)$/;
const PROSE = /^[“"(]?\p{Lu}\p{Ll}+(?=$|[\s…,.:;!?)”"])|\p{L}{2,}[,:;.]? \p{L}{2,}/u;

/**
 * Finds the texts for users in a source file of the dashboard: text in JSX, strings in attributes and properties that
 * users see, and strings that look like sentences. Ignores code samples, class names, compared strings and errors for
 * developers.
 * @param file path of the file, whose extension selects the parser
 */
export function visibleLiterals(file: string, source: string): readonly VisibleLiteral[] {
  const tree = createSourceFile(file, source, ScriptTarget.Latest, true);
  const found: VisibleLiteral[] = [];
  const visit = (node: Node): void => {
    if (isImportDeclaration(node) || isExportDeclaration(node) || isTypeNode(node)) return;
    const text = textOf(node);
    if (text !== undefined && isVisible(node, text))
      found.push({
        line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1,
        text: text.replaceAll(/\s+/g, ' ').trim(),
      });
    forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function textOf(node: Node): string | undefined {
  if (isJsxText(node) || isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  return isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
    : undefined;
}

function isVisible(node: Node, text: string): boolean {
  if (!/\p{L}/u.test(text)) return false;
  const { parent } = node;
  if (isJsxText(node)) return !isCode(parent);
  if (isNounOfCount(node)) return true;
  const name = shownName(node);
  if (name !== undefined && SHOWN.test(name)) return true;
  return PROSE.test(text) && !isClassNames(text) && !isTechnical(node);
}

function isCode(node: Node): boolean {
  return isJsxElement(node) && node.openingElement.tagName.getText() === 'code';
}

function isNounOfCount({ parent }: Node): boolean {
  return isCallExpression(parent) && parent.expression.getText() === 'count';
}

/**
 * Returns the name of the attribute or property that contains a string, even if the string is in an array or
 * a condition.
 */
function shownName(node: Node): string | undefined {
  for (let inner = node, outer = node.parent; outer !== undefined; inner = outer, outer = outer.parent) {
    if (isJsxAttribute(outer)) return outer.name.getText();
    if (isPropertyAssignment(outer)) return outer.name === inner ? undefined : outer.name.getText();
    if (isCallExpression(outer) || isJsxElement(outer) || isComparison(outer)) return undefined;
  }
  return undefined;
}

function isTechnical(node: Node): boolean {
  for (let inner = node, outer = node.parent; outer !== undefined; inner = outer, outer = outer.parent) {
    if (isNewExpression(outer)) return outer.expression.getText() === 'Error';
    if (isJsxAttribute(outer)) return TECHNICAL.test(outer.name.getText());
    if (isElementAccessExpression(outer)) return outer.argumentExpression === inner;
    if (isPropertyAssignment(outer) && outer.name === inner) return true;
    if (isCaseClause(outer)) return outer.expression === inner;
    if (isComparison(outer)) return true;
    if (isJsxElement(outer)) return isCode(outer);
    if (isCallExpression(outer))
      return /^(?:classes|import|.*\.(?:querySelector|includes))$/.test(outer.expression.getText());
  }
  return false;
}

function isComparison(node: Node): boolean {
  return isBinaryExpression(node) && COMPARISON.test(node.operatorToken.getText());
}

function isClassNames(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return (
    words.every((word) => /^[a-z0-9[\]()!:./%&>_,*#+=…-]+$/.test(word)) &&
    words.some((word) => /[-:[]/.test(word)) &&
    !/[.?!]$/.test(text)
  );
}
