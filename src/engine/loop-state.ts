import type { Json } from '../expressions/index.js';

/** State of a running loop. Checkpoints contain the fields under these names, so a change makes them unreadable. */
export interface LoopState {
  readonly items: readonly Json[];
  /** Maximum number of items of the loop that run at the same time. */
  readonly atOnce: number;
  /** Epoch milliseconds at which the loop started. */
  readonly startedAt: number;
  /** Index of the next item to start. All items with a lower index have started. */
  readonly begun: number;
  /** Indexes of the items that have started and not ended, in the order of their starts. */
  readonly open: readonly number[];
  readonly results: ItemResults;
  /** The loop's last recorded progress, from 0 to 1, and the time of the record in epoch milliseconds. */
  readonly told: { readonly fraction: number; readonly at: number };
}

/**
 * Number of results in each part of `ItemResults`. Adding a result copies one part and the list of parts, so neither
 * may be long.
 */
const PART_SIZE = 128;

/** JSON form of `ItemResults`, which a checkpoint stores. */
export interface StoredItemResults {
  readonly parts: readonly (readonly Json[])[];
  readonly count: number;
  readonly characters: number;
}

/**
 * Immutable list of the results of a loop's items. `with` returns a new list, which shares all parts except one with
 * the old list.
 */
export class ItemResults implements StoredItemResults {
  static readonly NONE = new ItemResults([], 0, 0);

  private constructor(
    readonly parts: readonly (readonly Json[])[],
    /** Number of items that have a result. */
    readonly count: number,
    /** Total length of the results' JSON texts, in characters. */
    readonly characters: number,
  ) {}

  static restored({ parts, count, characters }: StoredItemResults): ItemResults {
    return new ItemResults(parts, count, characters);
  }

  /**
   * Returns a copy of the list with the result of one more item.
   * @param index index of the item, which must not have a result yet
   */
  with(index: number, result: Json): ItemResults {
    const at = Math.floor(index / PART_SIZE);
    const parts = Array.from(
      { length: Math.max(this.parts.length, at + 1) },
      (_, part) => this.parts[part] ?? [],
    );
    const part = [...(parts[at] as readonly Json[])];
    part[index % PART_SIZE] = result;
    parts[at] = part;
    return new ItemResults(parts, this.count + 1, this.characters + JSON.stringify(result).length);
  }

  /** Length of all results as one JSON list, in characters. */
  get length(): number {
    return this.characters + Math.max(0, this.count - 1) + 2;
  }

  /** Returns the results in the order of the items. Callers must wait until every item has a result. */
  toList(): readonly Json[] {
    return this.parts.flat();
  }
}

/** Returns the state of a loop directly after its event `workflow.node.started`. */
export function startedLoopState(input: Json, at: number): LoopState {
  const { items, max_concurrency } = input as LoopInput;
  return {
    items,
    atOnce: max_concurrency,
    startedAt: at,
    begun: 0,
    open: [],
    results: ItemResults.NONE,
    told: { fraction: 0, at },
  };
}

/** The evaluated input of a loop, as `workflow.node.started` records it. */
export type LoopInput = { readonly items: readonly Json[]; readonly max_concurrency: number };

/**
 * Returns the state of a loop after an event of the item at `index`. The first event of an item marks the item as
 * started.
 */
export function withItemStarted(loop: LoopState, index: number): LoopState {
  if (index < loop.begun) return loop;
  return { ...loop, begun: index + 1, open: [...loop.open, index] };
}
