/**
 * Tells that other processes committed something, so that nobody has to ask the database again and again. It is
 * a hint: it may come late, several times for one commit or once for many, and says nothing of what was written.
 */
export abstract class CommitSignal {
  /** Begins to listen; call it once. Resolves when every later commit will be told of. */
  abstract listen(onCommit: () => void): Promise<void>;

  abstract close(): Promise<void>;
}

/** For a database that this process alone writes. */
export class NoCommitSignal extends CommitSignal {
  listen(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
