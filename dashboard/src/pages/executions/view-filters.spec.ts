import { describe, expect, it } from 'vitest';
import { areSameFilters, fromViewFilters, toViewFilters } from './view-filters.ts';

describe('filters of a saved view', () => {
  it('filters of a saved view are stored by API names and restored by URL names', () => {
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

  it('filters of a saved view with an unexpected type are ignored', () => {
    expect(
      fromViewFilters({ status: 'failed', workflow_id: 3, trigger: ['api'], metadata: { a: 'b' } }),
    ).toEqual({
      status: 'failed',
    });
  });

  it('two saved views are equal if only the order of statuses or empty filters differ', () => {
    expect(areSameFilters({ status: 'failed,running' }, { status: 'running,failed', q: '' })).toBe(true);
    expect(areSameFilters({ status: 'failed' }, { status: 'failed', workflow: 'w' })).toBe(false);
  });
});
