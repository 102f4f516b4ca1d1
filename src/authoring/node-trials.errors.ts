import { ConflictError, NotFoundError, UnavailableError } from '../errors/index.js';

/** Thrown when a workflow has no node with the id. */
export class NodeNotFoundError extends NotFoundError {
  constructor(id: string) {
    super('node', id);
  }
}

/** Thrown when a node cannot be tested because the engine itself runs it or it starts another execution. */
export class NodeNotTestableError extends ConflictError {
  constructor(reason: string) {
    super('node_not_testable', reason);
  }
}

/** Thrown when this process is already testing the maximum number of nodes. */
export class TooManyTrialsError extends UnavailableError {
  constructor(most: number) {
    super(`${most} node tests are running. Try again when one of them has ended.`);
  }
}
