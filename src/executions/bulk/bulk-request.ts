import { ValidationError } from '../../errors/index.js';
import { defined } from '../../platform/index.js';
import { listFilter } from '../execution-query.js';
import type { BulkBody } from './bulk.dto.js';
import type { BulkTerms } from './bulk-actions.js';

/** @throws ValidationError if the filter is empty or invalid */
export function bulkTerms({
  filter,
  reason,
  version,
}: Pick<BulkBody, 'filter' | 'reason' | 'version'>): Omit<BulkTerms, 'action'> {
  const { ids, metadata, ...rest } = filter;
  const given = defined({
    ...listFilter(
      { ...rest, ...(Object.keys(metadata ?? {}).length === 0 ? {} : { metadata: texts(metadata ?? {}) }) },
      {},
      'filter.',
    ),
    ids: ids?.map((id) => id.toLowerCase()),
  });
  if (Object.keys(given).length === 0)
    throw ValidationError.of('filter', 'empty', 'must select executions; an empty filter would select all');
  return { filter: given, reason: reason ?? null, version: version ?? 'same' };
}

function texts(metadata: Readonly<Record<string, unknown>>): Map<string, string> {
  for (const [key, value] of Object.entries(metadata))
    if (typeof value !== 'string')
      throw ValidationError.of(`filter.metadata.${key}`, 'is_string', 'must be a string');
  return new Map(Object.entries(metadata as Readonly<Record<string, string>>));
}
