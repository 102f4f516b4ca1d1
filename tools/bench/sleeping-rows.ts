/** Writes database rows of executions that wait in a `delay` node, as copies of one real execution. */
import { openRows, type Row } from './row-store.ts';

/** Number of executions to insert per commit. */
const STEP = 2_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\b1[5-9]\d{11}\b/g;

/**
 * Copies a suspended execution many times in the database. The service must be stopped.
 * @param wakeAt returns the wake-up time of a copy, in epoch milliseconds
 * @param range indexes of the copies; `to` is exclusive
 * @returns a function that returns the execution id of a copy
 */
export async function writeSleeping(
  database: string,
  templateId: string,
  { from: first, to }: { readonly from: number; readonly to: number },
  wakeAt: (index: number) => number,
): Promise<(index: number) => string> {
  const store = await openRows(database);
  try {
    const executions = await store.read('executions', 'id', templateId);
    const journal = (await store.read('journal', 'execution_id', templateId)).map(
      ({ position: _, ...row }) => row,
    );
    const { runnable_at: wake } = executions[0] as { readonly runnable_at: string | Date };
    const template = new Template(JSON.stringify({ executions, journal }), [
      templateId,
      ...journal.map(({ id }) => String(id)),
    ]);
    const shift = (index: number): number => wakeAt(index) - new Date(wake).getTime();
    for (let from = first; from < to; from += STEP) {
      const made: Record<string, Row[]> = { executions: [], journal: [] };
      for (let index = from; index < Math.min(to, from + STEP); index += 1)
        for (const [table, rows] of Object.entries(template.copy(index, shift(index))))
          made[table]?.push(...rows);
      await store.begin();
      for (const [table, rows] of Object.entries(made)) await store.insert(table, rows);
      await store.commit();
    }
    return (index) => template.idOf(0, index, shift(index));
  } finally {
    await store.close();
  }
}

/** The database rows of an execution as JSON text, split where a copy needs another id or another time. */
class Template {
  private readonly literals: readonly string[];
  private readonly places: readonly ((index: number, shiftMs: number) => string)[];
  private readonly createdAt: number;

  constructor(text: string, ids: readonly string[]) {
    const literals: string[] = [];
    const places: ((index: number, shiftMs: number) => string)[] = [];
    let end = 0;
    for (const match of text.matchAll(new RegExp(`${UUID.source}|${INSTANT.source}`, 'g'))) {
      const [found] = match;
      const id = ids.indexOf(found);
      if (id < 0 && found.includes('-7')) continue;
      literals.push(text.slice(end, match.index));
      end = match.index + found.length;
      if (id >= 0) places.push((index, shiftMs) => this.idOf(id, index, shiftMs));
      else if (found.endsWith('Z')) {
        const at = Date.parse(found);
        places.push((_, shiftMs) => new Date(at + shiftMs).toISOString());
      } else places.push((_, shiftMs) => String(Number(found) + shiftMs));
    }
    this.literals = [...literals, text.slice(end)];
    this.places = places;
    const [own = ''] = ids;
    this.createdAt = Number.parseInt(own.slice(0, 13).replace('-', ''), 16);
  }

  /**
   * Returns the id that replaces an id of the original execution in a copy.
   * @param which index of the id in the original execution; 0 is the id of the execution itself
   */
  idOf(which: number, index: number, shiftMs: number): string {
    const time = (this.createdAt + shiftMs).toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${which.toString().padStart(3, '0')}-8000-${index.toString(16).padStart(12, '0')}`;
  }

  copy(index: number, shiftMs: number): Readonly<Record<string, readonly Row[]>> {
    const text = this.literals
      .map((literal, place) => literal + (this.places[place]?.(index, shiftMs) ?? ''))
      .join('');
    return JSON.parse(text) as Readonly<Record<string, readonly Row[]>>;
  }
}
