import { describe, expect, it } from 'vitest';
import type { Refusal } from './refusal.js';
import { KINDS_PER_TEAM, MAX_TEAMS, RefusalWindows, WINDOW_MS } from './refusal-windows.js';

function refusal(over: Partial<Refusal> = {}): Refusal {
  return {
    action: 'request.refused',
    code: 'missing_scope',
    teamId: 'team',
    projectId: null,
    userId: 'user',
    keyId: 'key',
    address: '203.0.113.1',
    requestId: undefined,
    target: undefined,
    details: {},
    email: undefined,
    ...over,
  };
}

describe('RefusalWindows', () => {
  it('RefusalWindows records the first refused request per source and error code, and counts repetitions for one minute', () => {
    const windows = new RefusalWindows();
    expect([1, 2, 3].map((now) => windows.add(refusal(), now))).toEqual([true, false, false]);
    expect(windows.add(refusal({ code: 'not_operator' }), 4)).toBe(true);
    expect(windows.add(refusal({ keyId: 'other' }), 5)).toBe(true);
    expect(windows.endDue(WINDOW_MS)).toEqual([]);
    expect(windows.endDue(WINDOW_MS + 1)).toEqual([
      { kind: 'counted', refusal: refusal(), count: 2, sinceMs: 1 },
    ]);
  });

  it('RefusalWindows writes one count per minute while a source repeats refused requests, and none after the source stops', () => {
    const windows = new RefusalWindows();
    windows.add(refusal(), 0);
    windows.add(refusal(), 1);
    expect(windows.endDue(WINDOW_MS)).toHaveLength(1);
    expect(windows.add(refusal(), WINDOW_MS + 1)).toBe(false);
    expect(windows.endDue(2 * WINDOW_MS)).toMatchObject([{ count: 1, sinceMs: WINDOW_MS }]);
    expect(windows.endDue(3 * WINDOW_MS)).toEqual([]);
    expect(windows.nextEndMs).toBeUndefined();
    expect(windows.add(refusal(), 3 * WINDOW_MS)).toBe(true);
  });

  it('RefusalWindows treats all addresses of one IPv6 network as one source of refused requests', () => {
    const windows = new RefusalWindows();
    const from = (address: string): boolean =>
      windows.add(refusal({ userId: null, keyId: null, address }), 0);
    expect([from('2001:db8::1'), from('2001:db8::2'), from('2001:db8:0:1::1'), from('')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('RefusalWindows records KINDS_PER_TEAM pairs of source and error code per team, and one summary counts the other requests', () => {
    const windows = new RefusalWindows();
    const written = Array.from({ length: 1_000 }, (_, index) =>
      windows.add(refusal({ keyId: `key ${index}`, code: index % 2 === 0 ? 'a' : 'b' }), 0),
    );
    expect(written.filter(Boolean)).toHaveLength(KINDS_PER_TEAM);
    expect(windows.add(refusal({ teamId: 'another' }), 0)).toBe(true);
    const rest = (1_000 - KINDS_PER_TEAM) / 2;
    expect(windows.endAll(1)).toEqual([
      { kind: 'summary', teamId: 'team', count: 2 * rest, codes: { a: rest, b: rest }, sinceMs: 0 },
    ]);
  });

  it('RefusalWindows counts refused requests of all teams after the first MAX_TEAMS in one shared window', () => {
    const windows = new RefusalWindows();
    for (let team = 0; team < MAX_TEAMS; team += 1) windows.add(refusal({ teamId: `team ${team}` }), 0);
    expect(windows.add(refusal({ teamId: 'one more' }), 0)).toBe(false);
    expect(windows.add(refusal({ teamId: null }), 0)).toBe(true);
    expect(windows.endAll(1)).toEqual([
      { kind: 'summary', teamId: null, count: 1, codes: { missing_scope: 1 }, sinceMs: 0 },
    ]);
  });
});
