import { configDefaults, defineConfig } from 'vitest/config';

/** Long proofs of replay, certificates and whole nights under faults: `npm run test:trust`. */
const long = ['test/replay/**', 'test/trust/**', 'test/chaos/**'];
const isLongRun = process.argv.includes('--mode=trust');

export default defineConfig({
  test: {
    include: isLongRun ? long.map((folder) => `${folder}/*.test.ts`) : ['test/**/*.test.ts'],
    exclude: isLongRun ? configDefaults.exclude : [...configDefaults.exclude, ...long],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Real servers and processes on machines others use too: one more try there, none at a desk.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default'],
  },
});
