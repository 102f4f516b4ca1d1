import { describe, expect, it } from 'vitest';
import { BucketTable } from './bucket-table.js';

const BUCKET = { level: 0, atMs: 0 };

describe('BucketTable', () => {
  it('the bucket table drops full token buckets when new keys arrive', () => {
    const table = new BucketTable();
    for (let now = 0; now < 100_000; now += 1) {
      table.set(`key ${now}`, BUCKET, now + 100, now);
      expect(table.size).toBeLessThanOrEqual(2 * 100 + 2);
    }
  });

  it('the bucket table keeps token buckets that are not full', () => {
    const table = new BucketTable();
    table.set('used again', BUCKET, 10, 0);
    table.set('used again', BUCKET, 1_000, 5);
    for (let now = 0; now < 100; now += 1) table.set(`key ${now}`, BUCKET, 1_000, now);
    expect(table.size).toBe(101);
    expect(table.get('used again')).toBe(BUCKET);
  });

  it('the bucket table never exceeds its maximum size', () => {
    const table = new BucketTable(50);
    for (let key = 0; key < 1_000; key += 1) {
      table.set(`key ${key}`, BUCKET, Infinity, 0);
      expect(table.size).toBeLessThanOrEqual(50);
      expect(table.get(`key ${key}`)).toBe(BUCKET);
    }
    expect(table.size).toBe(50);
  });
});
