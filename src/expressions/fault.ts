export interface Fault {
  /** Path in the document, such as `nodes[2].with.url`. Empty for the whole document. */
  readonly path: string;
  /** Stable machine-readable code, such as `cycle` or `unknown_node_type`. */
  readonly code: string;
  /** A sentence for users: the error and its correction. */
  readonly message: string;
}

/** Joins the parts of a path: `at('nodes', 2, 'with')` is `nodes[2].with`. */
export function at(...parts: readonly (string | number)[]): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else if (part !== '') path += path === '' || part.startsWith('[') ? part : `.${part}`;
  }
  return path;
}
