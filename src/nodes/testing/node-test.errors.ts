/** Thrown when a node type or its test violates the contract of node types. The message has one line for each error. */
export class NodeTestError extends Error {
  override readonly name = 'NodeTestError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}
