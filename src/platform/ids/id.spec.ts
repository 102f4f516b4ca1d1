import { describe, expect, it } from 'vitest';
import { isId, newId } from './id.js';

describe('newId', () => {
  const ids = Array.from({ length: 20_000 }, newId);

  it('`newId` creates UUIDs of version 7', () => {
    expect(ids.every((id) => isId(id) && id[14] === '7')).toBe(true);
  });

  it('`newId` creates unique ids', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('`newId` creates an id that sorts after all earlier ids', () => {
    expect(ids.toSorted()).toEqual(ids);
  });

  it('an id contains its time of creation', () => {
    const before = Date.now();
    const made = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });
});
