import type { Json } from '../expressions/index.js';

/** How far a node that iterates is. */
export interface LoopState {
  readonly items: readonly Json[];
  /** Items under way at once. */
  readonly atOnce: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Items before this one have begun. */
  readonly begun: number;
  /** Items that have begun and have no result yet, in the order in which they began. */
  readonly open: readonly number[];
  readonly results: ItemResults;
  /** What was last told of its progress, 0 to 1, and when. */
  readonly told: { readonly fraction: number; readonly at: number };
}

/** Results in one part: few enough to copy for each result, many enough that there are few parts. */
const PART = 128;

/** The fields of `ItemResults` as JSON. */
export interface StoredItemResults {
  readonly parts: readonly (readonly Json[])[];
  readonly count: number;
  readonly characters: number;
}

/** What the items of a loop gave, by index. It never changes: another result makes another, and shares most with it. */
export class ItemResults implements StoredItemResults {
  static readonly NONE = new ItemResults([], 0, 0);

  private constructor(
    readonly parts: readonly (readonly Json[])[],
    /** How many there are. */
    readonly count: number,
    /** Characters of their JSON texts together. */
    readonly characters: number,
  ) {}

  static restored({ parts, count, characters }: StoredItemResults): ItemResults {
    return new ItemResults(parts, count, characters);
  }

  /** @param index of an item that has no result yet */
  with(index: number, result: Json): ItemResults {
    const at = Math.floor(index / PART);
    const parts = Array.from(
      { length: Math.max(this.parts.length, at + 1) },
      (_, part) => this.parts[part] ?? [],
    );
    const part = [...(parts[at] as readonly Json[])];
    part[index % PART] = result;
    parts[at] = part;
    return new ItemResults(parts, this.count + 1, this.characters + JSON.stringify(result).length);
  }

  /** Characters that they are in JSON, as a list. */
  get length(): number {
    return this.characters + Math.max(0, this.count - 1) + 2;
  }

  /** All of them in order, where none is missing. */
  toList(): readonly Json[] {
    return this.parts.flat();
  }
}

/** The beginning of a loop, as its `started` event tells it. */
export function begunLoop(input: Json, at: number): LoopState {
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

/** What a loop is given once its templates are filled in and checked; its `started` event holds it. */
export type LoopInput = { readonly items: readonly Json[]; readonly max_concurrency: number };

/** The loop once an event speaks of one of its items: begun, if it had not yet. */
export function withBegun(loop: LoopState, index: number): LoopState {
  if (index < loop.begun) return loop;
  return { ...loop, begun: index + 1, open: [...loop.open, index] };
}
