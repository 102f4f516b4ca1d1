import type { Connection, FieldDef, Submittable } from 'pg';

/** A statement with its parameters as text. */
export interface Step {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /** Read and planned once a connection, for any values; else each time. After `STEADY` in its transaction. */
  readonly isKept?: true;
  /** Whether its result has the columns that it needs to be read. */
  readonly isDescribed?: true;
}

/** What a step did. */
export interface StepResult {
  /** As text. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Where it was to be described. */
  readonly columns: readonly Column[];
}

/** A column of a result. */
export type Column = Pick<FieldDef, 'name' | 'dataTypeID'>;

/**
 * Has the kept statements of a transaction planned for any values, and as for full tables: the plan stays when those that
 * are empty now have grown.
 */
export const STEADY: Step = {
  text: `SELECT ${Object.entries({
    plan_cache_mode: 'force_generic_plan',
    enable_seqscan: 'off',
    enable_bitmapscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    jit: 'off',
  })
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
  values: [],
  isKept: true,
};

/** Names of kept statements by their text. */
const names = new Map<string, string>();

function nameOf({ text, isKept }: Step): string {
  if (isKept === undefined) return '';
  const name = names.get(text) ?? `kept_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** What the server was told to keep, by connection: the columns of what was described, by name. */
const kept = new WeakMap<Connection, Map<string, readonly Column[]>>();

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
  private known = new Map<string, readonly Column[]>();

  constructor(private readonly steps: readonly Step[]) {
    this.settle = Promise.withResolvers();
    this.done = this.settle.promise;
  }

  submit(connection: Connection): void {
    this.known = kept.get(connection) ?? this.known;
    kept.set(connection, this.known);
    // All in one packet: each write of its own would wake the server.
    connection.stream.cork();
    try {
      for (const step of this.steps) this.send(connection, step);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  private send(connection: Connection, step: Step): void {
    const name = nameOf(step);
    const isNew = !this.known.has(name);
    if (isNew) {
      if (name !== '') connection.close({ type: 'S', name }, true);
      connection.parse({ text: step.text, name, types: [] }, true);
      if (name !== '') this.known.set(name, []);
    }
    connection.bind({ statement: name, values: [...step.values] }, true);
    if (isNew && step.isDescribed) connection.describe({ type: 'P', name: '' }, true);
    connection.execute({}, true);
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    const step = this.steps[this.results.length];
    if (step !== undefined) this.known.set(nameOf(step), fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {
    const step = this.steps[this.results.length];
    this.results.push({ rows: this.rows, columns: (step && this.known.get(nameOf(step))) ?? [] });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.results);
  }

  handleError(error: Error, connection: Connection): void {
    // Which of the names got through is not known: they are given anew.
    kept.delete(connection);
    this.settle.reject(error);
  }
}
