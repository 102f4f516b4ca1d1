import { ConflictError, NotFoundError, UnavailableError } from '../errors/index.js';

/** Thrown when a workflow has no node of an id. */
export class NodeNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('node', id);
  }
}

/** Thrown when a node cannot be tested by itself: the engine runs it, or it starts another execution. */
export class NodeNotTestableError extends ConflictError {
  constructor(reason: string) {
    super('node_not_testable', reason);
  }
}

/** Thrown when this process tests as many nodes as it may at once. */
export class TooManyTrialsError extends UnavailableError {
  constructor(most: number) {
    super(`${most} nodes are being tested at the moment. Try again when one of these tests has ended.`);
  }
}
