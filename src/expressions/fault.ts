export interface Fault {
  /**
   * Path of the error in the checked document, such as `nodes[2].with.url`. Empty if the error concerns the whole
   * document.
   */
  readonly path: string;
  /** Machine-readable error code that never changes, such as `cycle` or `unknown_node_type`. */
  readonly code: string;
  /** Message for users: what is wrong and how to correct it. */
  readonly message: string;
}

/** Joins the parts of a path in a document. For example, `at('nodes', 2, 'with')` returns `nodes[2].with`. */
export function at(...parts: readonly (string | number)[]): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else if (part !== '') path += path === '' || part.startsWith('[') ? part : `.${part}`;
  }
  return path;
}
