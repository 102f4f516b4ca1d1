import type { Connection, FieldDef, Submittable } from 'pg';
import { isShared } from '../../database/index.js';

/** A statement with its parameters as text. */
export interface Step {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /**
   * Whether each connection prepares the statement once. Such a statement must follow `PLANNER_SETTINGS` in its
   * transaction.
   */
  readonly isKept?: true;
  /** Whether the result must include the column types for a conversion. */
  readonly isDescribed?: true;
}

export interface StepResult {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Empty unless the step has `isDescribed`. */
  readonly columns: readonly Column[];
}

export type Column = Pick<FieldDef, 'name' | 'dataTypeID'>;

/** Makes the planner create generic plans for full tables. Cached plans stay good when empty tables grow. */
export const PLANNER_SETTINGS: Step = {
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

/** Names of prepared statements by their text. */
const names = new Map<string, string>();

function nameOf({ text, isKept }: Step): string {
  if (isKept === undefined) return '';
  const name = names.get(text) ?? `kept_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Prepared statements of each connection: result columns by statement name. */
const kept = new WeakMap<Connection, Map<string, readonly Column[]>>();

/**
 * Sends statements to PostgreSQL in one packet, as one transaction. See "Pipelining" in PostgreSQL's protocol
 * documentation.
 */
export class Pipeline implements Submittable {
  /** Resolves after the commit. Rejects with the error of the server or the connection. */
  readonly done: Promise<readonly StepResult[]>;
  private readonly settle: PromiseWithResolvers<readonly StepResult[]>;
  private readonly results: StepResult[] = [];
  private rows: (readonly (string | null)[])[] = [];
  private known = new Map<string, readonly Column[]>();
  /** Columns by index of the step, as described in this run. */
  private readonly described: (readonly Column[])[] = [];
  /** Whether statements may stay prepared. A pooler in transaction mode would lose prepared statements. */
  private canKeep = true;

  constructor(private readonly steps: readonly Step[]) {
    this.settle = Promise.withResolvers();
    this.done = this.settle.promise;
  }

  submit(connection: Connection): void {
    this.canKeep = !isShared(connection);
    this.known = kept.get(connection) ?? this.known;
    kept.set(connection, this.known);
    // One packet for everything, because each separate write would wake the server.
    connection.stream.cork();
    try {
      for (const step of this.steps) this.send(connection, step);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  private nameOf(step: Step): string {
    return this.canKeep ? nameOf(step) : '';
  }

  private send(connection: Connection, step: Step): void {
    const name = this.nameOf(step);
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
    this.described[this.results.length] = fields;
    const name = step === undefined ? '' : this.nameOf(step);
    if (name !== '') this.known.set(name, fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCommandComplete(): void {
    const step = this.steps[this.results.length];
    const columns = this.described[this.results.length] ?? (step && this.known.get(this.nameOf(step))) ?? [];
    this.results.push({ rows: this.rows, columns });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.results);
  }

  handleError(error: Error, connection: Connection): void {
    // After an error, the prepared statements of the server are unknown.
    kept.delete(connection);
    this.settle.reject(error);
  }
}
