import { ConflictError, NotFoundError, UnavailableError } from '../errors/index.js';

export class NodeNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('node', id);
  }
}

/** Thrown when a test of a node is not possible: for loops, and for nodes that start another execution. */
export class NodeNotTestableError extends ConflictError {
  constructor(reason: string) {
    super('node_not_testable', reason);
  }
}

/** Thrown when this process already runs its maximum number of node tests at the same time. */
export class TooManyTrialsError extends UnavailableError {
  constructor(most: number) {
    super(
      `This process already runs ${most} node tests, which is the maximum. Try again when one of them has ended.`,
    );
  }
}
