import { isJsonObject, type Json } from '../expressions/index.js';

/**
 * Kinds of differences between the values of two executions. `added`: only the other execution has the value.
 * `removed`: only the base execution has the value.
 */
export const VALUE_CHANGES = ['added', 'removed', 'changed'] as const;
export type ValueChangeKind = (typeof VALUE_CHANGES)[number];

export interface ValueChange {
  /** JSON Pointer (RFC 6901) to the difference; empty for the whole value. */
  readonly path: string;
  readonly kind: ValueChangeKind;
  /** Value in the base execution; absent if only the other execution has a value. */
  readonly base?: Json;
  readonly other?: Json;
}

export interface ValueDifferences {
  /** Number of all differences, including those that `changes` omits because of its limit. */
  readonly total: number;
  readonly changes: readonly ValueChange[];
}

/** A value in one of the two compared executions; undefined if the execution does not have the value. */
type Side = Json | undefined;

interface Pair {
  readonly path: string;
  readonly base: Side;
  readonly other: Side;
}

/**
 * Returns the differences of two JSON values. Objects are compared by key, arrays by index. If two arrays have
 * different lengths, equal items at their ends are skipped, so that one inserted item counts as one addition.
 * @param limit maximum number of listed changes
 */
export function valueDifferences(base: Json, other: Json, limit: number): ValueDifferences {
  const changes: ValueChange[] = [];
  let total = 0;
  // An explicit stack replaces recursion, because values may be nested to any depth.
  const pairs: Pair[] = [{ path: '', base, other }];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const inner = innerPairs(pair);
    if (inner !== null) {
      for (const one of inner.toReversed()) pairs.push(one);
      continue;
    }
    if (pair.base === pair.other) continue;
    total += 1;
    if (changes.length < limit) changes.push(changeOf(pair));
  }
  return { total, changes };
}

/** Whether two JSON values are equal. The order of object keys does not matter. */
export function areEqual(base: Json, other: Json): boolean {
  const pairs: Pick<Pair, 'base' | 'other'>[] = [{ base, other }];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    if (pair.base === pair.other) continue;
    const inner = equalInside(pair.base, pair.other);
    if (inner === null) return false;
    for (const one of inner) pairs.push(one);
  }
  return true;
}

/**
 * Returns the pairs of elements or fields on which the equality of two values depends. Returns null if the
 * values are not equal, for example because they have different lengths or keys.
 */
function equalInside(base: Side, other: Side): readonly Pick<Pair, 'base' | 'other'>[] | null {
  if (Array.isArray(base) && Array.isArray(other))
    return base.length === other.length
      ? base.map((item: Json, index) => ({ base: item, other: other[index] as Json }))
      : null;
  if (!isJsonObject(base) || !isJsonObject(other)) return null;
  const keys = Object.keys(base);
  if (keys.length !== Object.keys(other).length || !keys.every((key) => Object.hasOwn(other, key)))
    return null;
  return keys.map((key) => ({ base: base[key], other: other[key] }));
}

function changeOf({ path, base, other }: Pair): ValueChange {
  if (base === undefined && other !== undefined) return { path, kind: 'added', other };
  if (other === undefined && base !== undefined) return { path, kind: 'removed', base };
  return { path, kind: 'changed', base: base as Json, other: other as Json };
}

/** Returns the pairs of elements or fields of two values; null unless both values are objects or both are arrays. */
function innerPairs({ path, base, other }: Pair): readonly Pair[] | null {
  if (Array.isArray(base) && Array.isArray(other)) return itemPairs(path, base, other);
  if (!isJsonObject(base) || !isJsonObject(other)) return null;
  const keys = new Set([...Object.keys(base), ...Object.keys(other)]);
  return [...keys].map((key) => ({
    path: `${path}/${escaped(key)}`,
    base: Object.hasOwn(base, key) ? base[key] : undefined,
    other: Object.hasOwn(other, key) ? other[key] : undefined,
  }));
}

function itemPairs(path: string, base: readonly Json[], other: readonly Json[]): readonly Pair[] {
  const shorter = Math.min(base.length, other.length);
  // If the arrays have the same length, all items are compared by index. Otherwise, equal items at the ends of the
  // arrays are skipped.
  const common = base.length === other.length ? 0 : equalAtEnd(base, other, shorter);
  const length = Math.max(base.length, other.length) - common;
  return Array.from({ length }, (_, index) => ({
    path: `${path}/${index}`,
    base: index < base.length - common ? base[index] : undefined,
    other: index < other.length - common ? other[index] : undefined,
  }));
}

/**
 * Returns the number of equal items at the ends of two arrays. Items that belong to the equal start of the
 * arrays do not count.
 */
function equalAtEnd(base: readonly Json[], other: readonly Json[], shorter: number): number {
  let start = 0;
  while (start < shorter && areEqual(base[start] as Json, other[start] as Json)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    areEqual(base[base.length - 1 - end] as Json, other[other.length - 1 - end] as Json)
  )
    end += 1;
  return end;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
