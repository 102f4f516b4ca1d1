import { expect, it } from 'vitest';
import { fieldPath } from './field-path.js';

it.each([
  [['config', 'timeout_seconds'], 'config.timeout_seconds'],
  [['nodes', 2, 'with', 'url'], 'nodes[2].with.url'],
  [[0, 'a'], '[0].a'],
  [['metadata', 'a b'], 'metadata["a b"]'],
  [['metadata', 'a\n"'], 'metadata["a\\n\\""]'],
  [['größe', 'x-y'], 'größe.x-y'],
  [[''], '[""]'],
] as const)('`fieldPath` of %j is %s', (segments, path) => {
  expect(fieldPath(segments)).toBe(path);
});

it('`fieldPath` shortens long keys', () => {
  expect(fieldPath(Array.from({ length: 1000 }, () => 'x'.repeat(1000))).length).toBeLessThan(500);
});
