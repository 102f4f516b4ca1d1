import { expect, it } from 'vitest';
import { childPath } from './field-path.js';

const pathOf = (segments: readonly (string | number)[]) => segments.reduce<string>(childPath, '');

it.each([
  [['config', 'timeout_seconds'], 'config.timeout_seconds'],
  [['nodes', 2, 'with', 'url'], 'nodes[2].with.url'],
  [[0, 'a'], '[0].a'],
  [['metadata', 'a b'], 'metadata["a b"]'],
  [['metadata', 'a\n"'], 'metadata["a\\n\\""]'],
  [['größe', 'x-y'], 'größe.x-y'],
  [[''], '[""]'],
] as const)('the path of the field at %j is %s', (segments, path) => {
  expect(pathOf(segments)).toBe(path);
});

it('long keys are shortened in the path of a field', () => {
  expect(pathOf(Array.from({ length: 1000 }, () => 'x'.repeat(1000))).length).toBeLessThan(500);
});
