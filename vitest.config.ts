import { configDefaults, defineConfig } from 'vitest/config';
import { longTests } from './test/support/long-tests.ts';
import { SlowestFiles } from './test/support/slowest-files.ts';
import { temporaryFolder } from './test/support/temporary-files.ts';
import { testsWithoutServer } from './test/support/tests-without-server.ts';

const fast = testsWithoutServer();
// Everything below inherits it.
process.env['TMPDIR'] ??= temporaryFolder();

const withServers = {
  isolate: false,
  globalSetup: ['test/support/global-setup.ts'],
};

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than the cores of the smallest machine it runs on: a crawl waits about as long as it computes.
    maxWorkers: 4,
    // What hangs fails in the end; what is slow on a busy machine does not.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new SlowestFiles()],
    setupFiles: ['test/support/fixed-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...withServers,
          name: 'servers',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...fast, ...longTests],
        },
      },
      {
        extends: true,
        test: { ...withServers, name: 'long', include: [...longTests] },
      },
      {
        extends: true,
        test: {
          // What needs no server and no process of its own: rules, texts, contracts, plans, the house.
          name: 'fast',
          include: fast,
          // They leave nothing behind, so they may share what they import.
          isolate: false,
        },
      },
    ],
  },
});
