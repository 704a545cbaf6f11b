import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What hangs fails in the end; what is slow on a busy machine does not.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // Real servers and processes on machines others use too: one more try there, none at a desk.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default'],
  },
});
