import type { Connection, FieldDef, Submittable } from 'pg';
import { isShared } from '../../database/index.js';

/** A SQL statement whose parameters are texts. */
export interface Step {
  readonly text: string;
  readonly values: readonly (string | null)[];
  /**
   * Whether each connection prepares the statement only once. Such a statement must follow `PLANNER_SETTINGS` in its
   * transaction, so that PostgreSQL caches a generic plan.
   */
  readonly isKept?: true;
  /**
   * Whether the result must include the types of its columns. They are needed to convert the text values of the result.
   */
  readonly isDescribed?: true;
}

export interface StepResult {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Columns of the result. Empty if the step did not request them with `isDescribed`. */
  readonly columns: readonly Column[];
}

export type Column = Pick<FieldDef, 'name' | 'dataTypeID'>;

/**
 * Makes the planner create generic plans that suit large tables. Without these settings, a plan that was cached for an
 * empty table would be slow once the table has grown.
 */
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

/** Names of the prepared statements, by statement text. */
const names = new Map<string, string>();

function nameOf({ text, isKept }: Step): string {
  if (isKept === undefined) return '';
  const name = names.get(text) ?? `kept_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Prepared statements of each connection. Each inner map contains the result columns by statement name. */
const kept = new WeakMap<Connection, Map<string, readonly Column[]>>();

/**
 * Sends several statements to PostgreSQL in one packet and as one transaction. See "Pipelining" in PostgreSQL's
 * protocol documentation.
 */
export class Pipeline implements Submittable {
  /** Resolves to the results after the commit. Rejects with the error of the server or of the connection. */
  readonly done: Promise<readonly StepResult[]>;
  private readonly settle: PromiseWithResolvers<readonly StepResult[]>;
  private readonly results: StepResult[] = [];
  private rows: (readonly (string | null)[])[] = [];
  private known = new Map<string, readonly Column[]>();
  /** Result columns that the server described while this pipeline runs, by index of the step. */
  private readonly described: (readonly Column[])[] = [];
  /**
   * Whether the connection may keep prepared statements. False behind a pooler in transaction mode, which would lose
   * them.
   */
  private canKeep = true;

  constructor(private readonly steps: readonly Step[]) {
    this.settle = Promise.withResolvers();
    this.done = this.settle.promise;
  }

  submit(connection: Connection): void {
    this.canKeep = !isShared(connection);
    this.known = kept.get(connection) ?? this.known;
    kept.set(connection, this.known);
    // `cork` collects all messages in one packet, because each separate packet would wake the server.
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
    // After an error, it is unknown which statements the server has prepared, so the connection prepares all statements
    // again.
    kept.delete(connection);
    this.settle.reject(error);
  }
}
