import type { Step, StepResult } from './postgres-pipeline.js';
import {
  isRowWrite,
  type RowShape,
  type RowWrite,
  type Statement,
  type UnitOfWork,
  type Write,
} from './unit-of-work.js';

/**
 * Characters that are sent in one go: as much as the system takes from a process at once. One that is stopped in the
 * midst of more would hold up all others, and the server, which still hears it out, has no time limit for that.
 */
const MAX_AT_ONCE = 65_536;

/** Units as statements that need no look in between; first single statements, then the rows, shape by shape. */
export class AtOnce {
  /** Whether positions are given out. */
  readonly isInOrder: boolean;
  private readonly single: readonly Statement[];
  private readonly groups: readonly (readonly RowWrite[])[];

  constructor(units: readonly UnitOfWork[]) {
    this.isInOrder = units.some(generates);
    this.single = units.flatMap(({ writes }) => writes.filter(isStatement));
    this.groups = [...groupByShape(units)];
  }

  /** None where there is too much of it, or the server cannot tell by itself whether every guard holds. */
  get steps(): readonly Step[] | null {
    const isPossible =
      this.single.every(({ orFail, parameters }) => orFail === undefined && parameters.every(isPlain)) &&
      this.groups.every((writes) => !isGuarded(writes) || writes[0]?.shape.postgresGuarded !== undefined);
    if (!isPossible) return null;
    const steps = [
      ...this.single.map(({ sql, parameters }) => ({ text: sql, values: parameters.map(plainText) })),
      ...this.groups.map(stepOf),
    ];
    const characters = steps
      .flatMap(({ values }) => values)
      .reduce((sum, value) => sum + (value?.length ?? 0), 0);
    return characters > MAX_AT_ONCE ? null : steps;
  }

  generated(results: readonly StepResult[]): ReadonlyMap<RowWrite, number> {
    const generated = new Map<RowWrite, number>();
    this.groups.forEach((writes, index) => {
      collect(writes, results[this.single.length + index]?.rows ?? [], generated);
    });
    return generated;
  }
}

function isStatement(write: Write): write is Statement {
  return !isRowWrite(write);
}

const names = new WeakMap<RowShape, string>();
let named = 0;

function nameOf(shape: RowShape): string {
  const name = names.get(shape) ?? `rows_${(named += 1)}`;
  names.set(shape, name);
  return name;
}

function stepOf(writes: readonly RowWrite[]): Step {
  const [first] = writes;
  if (first === undefined) throw new Error('There are no rows.');
  const { shape } = first;
  const values = first.row.map((_, index) => arrayText(writes, index));
  if (isGuarded(writes)) return { text: shape.postgresGuarded ?? shape.postgres, values };
  return { text: shape.postgres, values, ...(shape.isPlannedOnce && { name: nameOf(shape) }) };
}

function isGuarded(writes: readonly RowWrite[]): boolean {
  return writes.some(({ orFail }) => orFail !== undefined);
}

/** One column of many rows as the text of an array. */
function arrayText(writes: readonly RowWrite[], index: number): string {
  const elements = writes.map(({ row }) => {
    const value = row[index] ?? null;
    if (value === null) return 'NULL';
    return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function plainText(value: unknown): string | null {
  if (!isPlain(value)) throw new Error('It is no plain parameter.');
  return value === null ? null : String(value);
}

/** Whether a unit gives out positions. */
export function generates({ writes }: UnitOfWork): boolean {
  return writes.some((write) => isRowWrite(write) && write.shape.returning !== undefined);
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

/** Finds the row of each write among those that a statement returned. */
export function collect(
  writes: readonly RowWrite[],
  rows: readonly (readonly unknown[])[],
  generated: Map<RowWrite, number>,
): void {
  const returning = writes[0]?.shape.returning;
  if (returning === undefined) return;
  const { key } = returning;
  const byKey = new Map(
    writes.map((write) => [key.map((index) => String(write.row[index])).join('|'), write]),
  );
  for (const row of rows) {
    const write = byKey.get(row.slice(0, -1).map(String).join('|'));
    if (write !== undefined) generated.set(write, Number(row.at(-1)));
  }
}
