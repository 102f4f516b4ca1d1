import { createSourceFile, type Node, ScriptTarget } from 'typescript';
import { describe, expect, it } from 'vitest';
import { symbolAround, symbolAt } from './symbols.js';

const SOURCE = `// file
import { a } from 'a';

/** class */
export class RunLoop {
  constructor(
    /** parameter */
    readonly name: string,
  ) {}
  /** field */
  private readonly size = 1;
  /** method */
  async next(): Promise<void> {
    // statement
    await go();
    const limits = {
      // property
      nodes: 1,
    };
    // end of block
  }
}

/** constant */
const LIMITS = { nodes: 1 };
it('saves the limits', () => {
  // in a test
  save();
});
interface Limits {
  /** signature */
  readonly nodes: number;
}
`;

const tree = createSourceFile('a.ts', SOURCE, ScriptTarget.Latest, true);

describe('symbolAt', () => {
  it.each([
    ['// file', ''],
    ['/** class', 'RunLoop'],
    ['/** parameter', 'RunLoop.name'],
    ['/** field', 'RunLoop.size'],
    ['/** method', 'RunLoop.next'],
    ['// statement', 'RunLoop.next'],
    ['// property', 'RunLoop.next.limits.nodes'],
    ['// end of block', 'RunLoop.next'],
    ['/** constant', 'LIMITS'],
    ['// in a test', 'saves the limits'],
    ['/** signature', 'Limits.nodes'],
  ])('`symbolAt` finds for the comment that starts with `%s` the symbol "%s"', (comment, symbol) => {
    expect(symbolAt(tree, SOURCE.indexOf(comment))).toBe(symbol);
  });
});

describe('symbolAround', () => {
  it('`symbolAround` returns the qualified name of the method that contains a call', () => {
    const find = (node: Node): Node | undefined =>
      node.getText(tree) === 'go()'
        ? node
        : node
            .getChildren(tree)
            .map(find)
            .find((found) => found !== undefined);
    const call = find(tree);
    expect(call && symbolAround(call)).toBe('RunLoop.next');
  });
});
