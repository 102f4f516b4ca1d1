import type { Connection, Submittable } from 'pg';

/** A statement with its parameters as text. */
export interface Step {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Statements of a name are read and planned once a connection; without one, each time. */
  readonly name?: string;
}

/** What a step did. */
export interface StepResult {
  /** As text. */
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Names that the server knows, by connection. */
const known = new WeakMap<Connection, Set<string>>();

/**
 * Statements that are sent to PostgreSQL in one go, with a single end behind them: they are one transaction, which is
 * committed there, or undone where one of them fails. See "Pipelining" in the server's documentation of its protocol.
 */
export class Pipeline implements Submittable {
  /** Resolves once it is committed. Rejects with the error of the server, or of the connection. */
  readonly done: Promise<readonly StepResult[]>;
  private readonly settle: PromiseWithResolvers<readonly StepResult[]>;
  private readonly results: StepResult[] = [];
  private rows: (readonly (string | null)[])[] = [];

  constructor(private readonly steps: readonly Step[]) {
    this.settle = Promise.withResolvers();
    this.done = this.settle.promise;
  }

  submit(connection: Connection): void {
    const names = known.get(connection) ?? new Set();
    known.set(connection, names);
    // All in one packet: each write of its own would wake the server.
    connection.stream.cork();
    try {
      for (const { text, values, name = '' } of this.steps) {
        if (name === '' || !names.has(name)) {
          if (name !== '') connection.close({ type: 'S', name }, true);
          connection.parse({ text, name, types: [] }, true);
          if (name !== '') names.add(name);
        }
        connection.bind({ statement: name, values: [...values] }, true);
        connection.execute({}, true);
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {
    this.results.push({ rows: this.rows });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.results);
  }

  handleError(error: Error, connection: Connection): void {
    // Which of the names got through is not known: they are given anew.
    known.delete(connection);
    this.settle.reject(error);
  }
}
