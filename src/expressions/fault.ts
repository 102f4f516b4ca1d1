/** An error in a document, with its path. */
export interface Fault {
  /** Path in the document, such as `nodes[2].with.url`; empty for the whole document. */
  readonly path: string;
  /** Stable machine-readable code, such as `cycle` or `unknown_node_type`. */
  readonly code: string;
  /** A sentence for people: what is wrong and how to correct it. */
  readonly message: string;
}

/** Joins the parts of a path: names with a dot, numbers in brackets. `at('nodes', 2, 'with')` is `nodes[2].with`. */
export function at(...parts: readonly (string | number)[]): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else if (part !== '') path += path === '' || part.startsWith('[') ? part : `.${part}`;
  }
  return path;
}
