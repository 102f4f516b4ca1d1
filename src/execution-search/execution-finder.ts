import { Injectable } from '@nestjs/common';
import { type IndexedRow, WordIndexRepository } from './word-index.repository.js';
import { WordLookupRepository } from './word-lookup.repository.js';
import { matches, termsOf, wordsOf } from './words.js';

/** The executions that a search found. */
export interface FoundExecutions {
  /** Ids without duplicates, newest first. */
  readonly ids: readonly string[];
  /** Whether the search may have missed older matching executions, because a word of the search is too frequent. */
  readonly isCut: boolean;
  /**
   * The executions that were not searched, because the index does not contain them yet: those between these two ids.
   * Null if all executions were searched.
   */
  readonly unsearched: { readonly afterId: string; readonly beforeId: string } | null;
}

/** Maximum number of executions that a search returns. */
export const MAX_FOUND = 1_000;

/** Maximum number of executions that a search reads because the index does not contain them yet. */
const UNINDEXED = 1_000;

/** Number of executions per read that are compared with the words of a search. */
const COMPARED = 100;

const NOTHING: FoundExecutions = { ids: [], isCut: false, unsearched: null };

/**
 * Finds executions of projects by a text. The text may be the start or the end of the id, or words of the error,
 * metadata and input. The index contains older executions; the newest executions are read instead.
 */
@Injectable()
export class ExecutionFinder {
  constructor(
    private readonly index: WordIndexRepository,
    private readonly lookup: WordLookupRepository,
  ) {}

  /**
   * Executions that match a text.
   * @param limit maximum number of executions, at most `MAX_FOUND`
   */
  async find(text: string, projectIds: readonly string[], limit = MAX_FOUND): Promise<FoundExecutions> {
    const terms = termsOf(text);
    if (terms.length === 0 || projectIds.length === 0) return NOTHING;
    const { upToId } = await this.index.watermark();
    const unindexed = await this.unindexed(terms, projectIds, upToId);
    const indexed = await this.indexed(terms, projectIds, limit);
    const named = await this.lookup.withIdPrefix(text.trim().toLowerCase(), projectIds, limit);
    const ids = [...new Set([...named, ...unindexed.ids, ...indexed.ids])].toSorted().toReversed();
    return {
      ids: ids.slice(0, limit),
      isCut: indexed.isCut || ids.length > limit || named.length === limit,
      unsearched: unindexed.unsearched,
    };
  }

  /** Reads the newest executions, which the index does not contain yet, and compares them with the terms. */
  private async unindexed(
    terms: readonly string[],
    projectIds: readonly string[],
    upToId: string,
  ): Promise<Pick<FoundExecutions, 'ids' | 'unsearched'>> {
    const limit = Math.max(1, Math.floor(UNINDEXED / projectIds.length));
    const ids: string[] = [];
    let oldest: string | null = null;
    for (const projectId of projectIds) {
      const rows = await this.index.newest(projectId, upToId, limit);
      ids.push(...matching(rows, terms));
      const last = rows.at(-1)?.id;
      if (rows.length === limit && last !== undefined && (oldest === null || last > oldest)) oldest = last;
    }
    return { ids, unsearched: oldest === null ? null : { afterId: upToId, beforeId: oldest } };
  }

  private async indexed(
    terms: readonly string[],
    projectIds: readonly string[],
    limit: number,
  ): Promise<Pick<FoundExecutions, 'ids' | 'isCut'>> {
    const { ids, isCut } = await this.candidates(terms, projectIds);
    const found: string[] = [];
    // Compare with the rows, because an index entry may belong to a deleted execution, and only one term was looked up.
    for (let from = 0; from < ids.length && found.length < limit; from += COMPARED)
      found.push(...matching(await this.index.byId(ids.slice(from, from + COMPARED)), terms));
    return { ids: found, isCut: isCut || found.length > limit };
  }

  /**
   * Executions that match one of the terms, newest first. The first term with few enough entries is used. If all terms
   * are too frequent, only the newest matches of the longest term are returned, and `isCut` is true.
   */
  private async candidates(
    terms: readonly string[],
    projectIds: readonly string[],
  ): Promise<Pick<FoundExecutions, 'ids' | 'isCut'>> {
    for (const term of terms) {
      const ids = await this.lookup.all(term, projectIds, MAX_FOUND);
      if (ids !== null) return { ids, isCut: false };
    }
    const [term = ''] = terms.toSorted((one, other) => other.length - one.length);
    return { ids: await this.lookup.newest(term, projectIds, MAX_FOUND), isCut: true };
  }
}

function matching(rows: readonly IndexedRow[], terms: readonly string[]): readonly string[] {
  return rows
    .filter((row) => matches(wordsOf(row), terms))
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
}
