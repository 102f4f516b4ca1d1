import { describe, expect, it } from 'vitest';
import { areSameFilters, fromViewFilters, toViewFilters } from './view-filters.ts';

describe('filters of a saved view', () => {
  it('a saved view stores filters under the names of the API and restores them under the names in the URL', () => {
    const filters = {
      q: 'tier=gold',
      status: 'failed,timed_out',
      workflow: 'w',
      session: 's',
      from: '2026-05-01',
    };
    const kept = toViewFilters(filters);
    expect(kept).toEqual({
      q: 'tier=gold',
      status: ['failed', 'timed_out'],
      workflow_id: 'w',
      session_id: 's',
      from: '2026-05-01',
    });
    expect(fromViewFilters(kept)).toEqual(filters);
  });

  it('a saved view ignores stored filters whose values have an unexpected type', () => {
    expect(
      fromViewFilters({ status: 'failed', workflow_id: 3, trigger: ['api'], metadata: { a: 'b' } }),
    ).toEqual({
      status: 'failed',
    });
  });

  it('`areSameFilters` ignores empty filters and the order of statuses', () => {
    expect(areSameFilters({ status: 'failed,running' }, { status: 'running,failed', q: '' })).toBe(true);
    expect(areSameFilters({ status: 'failed' }, { status: 'failed', workflow: 'w' })).toBe(false);
  });
});
