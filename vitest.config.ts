import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['test/support/openapi/checked-fetch.setup.ts'],
    include: ['src/**/*.spec.ts', 'tools/*/*.spec.ts', 'test/**/*.spec.ts', 'dashboard/src/**/*.spec.ts'],
    // No test is about time: these only end what hangs, on a busy machine, too.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // The engine decides; each of its branches has a test beside it.
    coverage: {
      provider: 'v8',
      include: ['src/{engine,expressions,long-values,execution-events,active-time,node-contract}/**/*.ts'],
      exclude: ['**/*.spec.ts'],
      reporter: ['text'],
      thresholds: { branches: 100 },
    },
  },
});
