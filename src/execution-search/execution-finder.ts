import { Injectable } from '@nestjs/common';
import { type IndexedRow, WordIndexRepository } from './word-index.repository.js';
import { WordLookupRepository } from './word-lookup.repository.js';
import { matches, termsOf, wordsOf } from './words.js';

export interface FoundExecutions {
  /** Ids of the executions that match the search, without duplicates, newest first. */
  readonly ids: readonly string[];
  /**
   * True if the result may lack older matches, because a word is too frequent or more than `limit` executions match.
   */
  readonly isCut: boolean;
  /**
   * Range of execution ids that the search skipped, because too many executions are not in the word index yet. Null if
   * the search covered all executions.
   */
  readonly unsearched: { readonly afterId: string; readonly beforeId: string } | null;
}

export const MAX_FOUND = 1_000;

/** Maximum number of executions that one search reads directly, because the word index does not contain them yet. */
const MAX_UNINDEXED = 1_000;

/** Number of executions that one query reads to compare them with all terms. */
const ROWS_PER_QUERY = 100;

const NO_EXECUTIONS: FoundExecutions = { ids: [], isCut: false, unsearched: null };

/**
 * Finds executions by the start or end of their id, or by words of their error, metadata and input. The newest
 * executions are not in the word index yet, so a search reads their rows directly.
 */
@Injectable()
export class ExecutionFinder {
  constructor(
    private readonly index: WordIndexRepository,
    private readonly lookup: WordLookupRepository,
  ) {}

  /** @param limit maximum number of returned ids, at most `MAX_FOUND` */
  async find(text: string, projectIds: readonly string[], limit = MAX_FOUND): Promise<FoundExecutions> {
    const terms = termsOf(text);
    if (terms.length === 0 || projectIds.length === 0) return NO_EXECUTIONS;
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

  /** Searches the newest executions of each project, whose rows are not in the word index yet. */
  private async unindexed(
    terms: readonly string[],
    projectIds: readonly string[],
    upToId: string,
  ): Promise<Pick<FoundExecutions, 'ids' | 'unsearched'>> {
    const limit = Math.max(1, Math.floor(MAX_UNINDEXED / projectIds.length));
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
    // The index lookup uses only one term and may return deleted executions, so the rows are compared with all terms.
    for (let from = 0; from < ids.length && found.length <= limit; from += ROWS_PER_QUERY)
      found.push(...matching(await this.index.byId(ids.slice(from, from + ROWS_PER_QUERY)), terms));
    return { ids: found, isCut: isCut || found.length > limit };
  }

  /**
   * Returns the executions that match one of the terms, newest first. The term must have at most `MAX_FOUND`
   * index entries. If every term has more entries, `isCut` is true, and older matches may be missing.
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
