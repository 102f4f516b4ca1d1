import { PLANNER_SETTINGS, type Step, type StepResult } from './postgres-pipeline.js';
import { isRowWrite, type RowWrite, type Statement, type UnitOfWork, type Write } from './unit-of-work.js';

/**
 * Maximum size of the parameters of a pipelined commit, in bytes. The operating system accepts that much in one call, so
 * a process cannot stop in the middle. A half-sent commit would keep its locks and block all other processes.
 */
const MAX_AT_ONCE = 65_536;

/**
 * Converts the units of work in a commit to statements that can be sent together. No statement needs the result of an
 * earlier statement.
 */
export class PipelinedCommit {
  private readonly single: readonly Statement[];
  private readonly groups: readonly (readonly RowWrite[])[];

  constructor(units: readonly UnitOfWork[]) {
    this.single = units.flatMap(({ writes }) => writes.filter(isStatement));
    this.groups = [...groupByShape(units)];
  }

  /**
   * The statements of the commit. Null if the server cannot check the condition (guard) of every write by
   * itself, or if a parameter is not a plain value.
   */
  get steps(): readonly Step[] | null {
    const isPossible =
      this.single.every(({ orFail, parameters }) => orFail === undefined && parameters.every(isPlain)) &&
      this.groups.every((writes) => !isGuarded(writes) || writes[0]?.shape.postgresGuarded !== undefined);
    if (!isPossible) return null;
    return [
      ...this.single.map(({ sql, parameters }) => ({ text: sql, values: parameters.map(plainText) })),
      PLANNER_SETTINGS,
      ...this.groups.map((writes) => this.stepOf(writes)),
    ];
  }

  private stepOf(writes: readonly RowWrite[]): Step {
    const [first] = writes;
    if (first === undefined) throw new Error('A batch of writes needs at least one row.');
    const { shape } = first;
    const values = first.row.map((_, index) => arrayText(writes, index));
    const text = isGuarded(writes) ? (shape.postgresGuarded ?? shape.postgres) : shape.postgres;
    return { text, values, isKept: true };
  }

  generated(results: readonly StepResult[]): GeneratedPositions {
    const generated = new GeneratedPositions();
    this.groups.forEach((writes, index) => {
      collect(writes, results[this.single.length + 1 + index]?.rows ?? [], generated);
    });
    return generated;
  }
}

function isStatement(write: Write): write is Statement {
  return !isRowWrite(write);
}

export function isLong(steps: readonly Step[]): boolean {
  const bytes = steps
    .flatMap(({ values }) => values)
    .reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0);
  return bytes > MAX_AT_ONCE;
}

function isGuarded(writes: readonly RowWrite[]): boolean {
  return writes.some(({ orFail }) => orFail !== undefined);
}

function arrayText(writes: readonly RowWrite[], index: number): string {
  const elements = writes.map(({ row }) => {
    const value = row[index] ?? null;
    if (value === null) return 'NULL';
    return typeof value === 'number' ? String(value) : quoted(value);
  });
  return `{${elements.join(',')}}`;
}

/**
 * Characters that need different escapes in JSON and in PostgreSQL's array literals: control characters and lone
 * surrogates.
 */
const UNLIKE_JSON = /[^ -\ud7ff\ue000-\uffff]/;

/**
 * Quotes a text for an array literal of PostgreSQL. `JSON.stringify` is correct for most texts and twice as fast as
 * `replace`.
 */
function quoted(text: string): string {
  return UNLIKE_JSON.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text);
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function plainText(value: unknown): string | null {
  if (!isPlain(value))
    throw new Error('A parameter of a SQL statement must be a string, number, boolean or null.');
  return value === null ? null : String(value);
}

export function groupByShape(units: readonly UnitOfWork[]): Iterable<readonly RowWrite[]> {
  const groups = new Map<object, RowWrite[]>();
  for (const { writes } of units) {
    for (const write of writes) {
      if (!isRowWrite(write)) continue;
      const group = groups.get(write.shape);
      if (group === undefined) groups.set(write.shape, [write]);
      else group.push(write);
    }
  }
  return groups.values();
}

/** Journal positions that the database generated for the writes of one commit. */
export class GeneratedPositions {
  /**
   * Position of the last write before this commit. Null if other commits may still get a position between that write
   * and this commit.
   */
  previous: number | null = null;
  private readonly byWrite = new Map<RowWrite, number>();

  set(write: RowWrite, position: number): void {
    this.byWrite.set(write, position);
  }

  /**
   * Returns the position that the database generated for each write of a unit; null for a write without such a
   * position.
   */
  of({ writes }: UnitOfWork): readonly (number | null)[] {
    return writes.map((write) => (isRowWrite(write) ? (this.byWrite.get(write) ?? null) : null));
  }
}

/** Assigns the positions in the result of a statement to the writes of that statement. */
export function collect(
  writes: readonly RowWrite[],
  rows: readonly (readonly unknown[])[],
  generated: GeneratedPositions,
): void {
  const returning = writes[0]?.shape.returning;
  if (returning === undefined) return;
  const { key } = returning;
  const byKey = new Map(
    writes.map((write) => [key.map((index) => String(write.row[index])).join('|'), write]),
  );
  for (const row of rows) {
    const write = byKey.get(row.slice(0, key.length).map(String).join('|'));
    if (write !== undefined) generated.set(write, Number(row[key.length]));
    const previous = row[key.length + 1] ?? null;
    if (previous !== null) generated.previous = Number(previous);
  }
}
