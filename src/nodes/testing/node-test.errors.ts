/** Thrown when a node type or its test violates the contract. The message has one error per line. */
export class NodeTestError extends Error {
  override readonly name = 'NodeTestError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}
