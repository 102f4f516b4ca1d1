import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.spec.ts', 'test/**/*.spec.ts', 'dashboard/src/**/*.spec.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 20_000 } },
    // The engine decides; each of its branches has a test.
    coverage: {
      provider: 'v8',
      include: ['src/engine/**/*.ts'],
      exclude: ['**/*.spec.ts'],
      reporter: ['text'],
      thresholds: { branches: 100 },
    },
  },
});
