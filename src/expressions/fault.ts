/** One thing wrong with a document, named by the path a client can find it at. */
export interface Fault {
  /** Path in the document, in the form `nodes[2].with.url`; empty for the document as a whole. */
  readonly path: string;
  /** Stable word a program can act on, for example `cycle` or `unknown_node_type`. */
  readonly code: string;
  /** A sentence for a person: what is wrong and what would be right. */
  readonly message: string;
}

/** Joins path parts: names with a dot, numbers in brackets. `at('nodes', 2, 'with')` is `nodes[2].with`. */
export function at(...parts: readonly (string | number)[]): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else if (part !== '') path += path === '' || part.startsWith('[') ? part : `.${part}`;
  }
  return path;
}
