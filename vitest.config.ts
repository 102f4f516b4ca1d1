import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Test files that each need their own process. These files change or depend on the clock, the ids or the log level of
 * the process, define TypeORM entities, or compare the columns of entities. TypeORM changes the columns when it connects
 * to another kind of database.
 */
const ALONE = [
  'src/platform/{clock,ids}/**/*.spec.ts',
  'src/journal/journal-tail.spec.ts',
  'src/logging/logging.spec.ts',
  'test/chaos/**/*.spec.ts',
  'test/contracts/{event-sink,journal-tail,migrations,schema-check,slow-queries,sqlite-faults,writer}.spec.ts',
  'test/docs/snippets.spec.ts',
  'test/e2e/{auth,bulk-jobs,code-nodes,hooks,key-use,long-lives,rate-limits}.spec.ts',
  'test/e2e/{schedules,system,upgrades,view-tokens,webhooks,webhooks-test-clock}.spec.ts',
];

export default defineConfig({
  test: {
    // Two more than cores, because most tests often wait. More than 4 processes would only wait for the database.
    maxWorkers: Math.min(4, availableParallelism() + 2),
    globalSetup: ['test/support/templates.setup.ts'],
    setupFiles: ['test/support/openapi/checked-fetch.setup.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ALONE },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: ['test/!(dashboard)/**/*.spec.ts'],
          exclude: ALONE,
          setupFiles: ['test/support/system-clock.setup.ts'],
          // Test files share processes, because each process needs about a second to load the service.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'units',
          include: ['src/**/*.spec.ts', 'tools/*/*.spec.ts', 'dashboard/{src,build}/**/*.spec.ts'],
          exclude: ALONE,
          // Test files share processes, because loading modules takes longer than most of these tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/dashboard/**/*.spec.ts'],
          // Test files share processes and their browsers.
          isolate: false,
          // These tests run last, one process per core, because browsers rarely wait. More processes at once take longer.
          sequence: { groupOrder: 1 },
          maxWorkers: Math.min(4, availableParallelism()),
          // On a busy machine a browser may draw an intermediate state when a test looks. In CI such a test runs a
          // second time, and the summary names it. No other test runs twice.
          retry: process.env.CI === 'true' ? 1 : 0,
        },
      },
    ],
    // No test is about time. These limits only end a test that hangs. On a slow machine, a test may need most of this time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
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
