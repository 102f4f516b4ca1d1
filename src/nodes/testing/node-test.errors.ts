/** Thrown when a node type, or a test of it, does not keep to the contract; one line a fault. */
export class NodeTestError extends Error {
  override readonly name = 'NodeTestError';

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}
