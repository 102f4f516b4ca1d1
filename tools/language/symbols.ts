import {
  forEachChild,
  isClassLike,
  isEnumDeclaration,
  isEnumMember,
  isCallExpression,
  isFunctionLike,
  isStringLiteral,
  isInterfaceDeclaration,
  isParameter,
  isPropertyAssignment,
  isPropertyDeclaration,
  isPropertySignature,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  isVariableStatement,
  type Node,
  type SourceFile,
} from 'typescript';

/** The declaration of a test, such as `it`, `it.each([1])` or `test`. */
const TEST_FUNCTION = /^(?:it|test)\b/;

/**
 * Returns the qualified name of the innermost declaration that contains a node or is the node, such as
 * `RunLoop.next`. The name of a test is its title. Returns '' for a node outside of all declarations.
 */
export function symbolAround(node: Node): string {
  const names: string[] = [];
  // The parent of a source file is undefined, although its TypeScript type does not allow undefined.
  for (let outer: Node | undefined = node; outer !== undefined; outer = outer.parent) {
    const name = declaredName(outer);
    if (name !== undefined) names.unshift(name);
  }
  return names.join('.');
}

/** Returns the qualified name of the declaration that a comment describes or, for other comments, contains it. */
export function symbolAt(tree: SourceFile, comment: number): string {
  let node: Node = tree;
  for (;;) {
    const child: Node | undefined = forEachChild(node, (one) =>
      one.getFullStart() <= comment && comment < one.getEnd() ? one : undefined,
    );
    if (child === undefined) return symbolAround(node);
    // A comment before the first token of a node describes this node, not a node inside it.
    if (comment < child.getStart(tree)) return symbolAround(described(child));
    node = child;
  }
}

function described(node: Node): Node {
  return isVariableStatement(node) ? (node.declarationList.declarations[0] ?? node) : node;
}

function declaredName(node: Node): string | undefined {
  if (
    isClassLike(node) ||
    isFunctionLike(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node) ||
    isEnumDeclaration(node) ||
    isEnumMember(node) ||
    isParameter(node) ||
    isVariableDeclaration(node) ||
    isPropertyAssignment(node) ||
    isPropertyDeclaration(node) ||
    isPropertySignature(node)
  )
    return node.name?.getText();
  if (!isCallExpression(node) || !TEST_FUNCTION.test(node.expression.getText())) return undefined;
  const [title] = node.arguments;
  return title !== undefined && isStringLiteral(title) ? title.text : undefined;
}
