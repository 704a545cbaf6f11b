import { defineConfig } from 'vitest/config';
import { testsWithoutServer } from './test/support/tests-without-server.ts';

/** What needs no server and no process of its own: rules, texts, contracts, plans, the house. */
export default defineConfig({
  test: {
    include: testsWithoutServer(),
    pool: 'forks',
    // They leave nothing behind, so they may share what they import.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 240_000,
  },
});
