import { describe, expect, it } from 'vitest';
import { isId, newId } from './id.js';

describe('a new id', () => {
  const ids = Array.from({ length: 20_000 }, newId);

  it('is a UUID of version 7', () => {
    expect(ids.every((id) => isId(id) && id[14] === '7')).toBe(true);
  });

  it('is unique', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts after ids made before it', () => {
    expect(ids.toSorted()).toEqual(ids);
  });

  it('contains the time of its creation', () => {
    const before = Date.now();
    const made = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });
});
