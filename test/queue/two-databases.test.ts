import { expect, test } from 'vitest';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { type Closer, unwind } from '../../src/app/compose/closers.ts';
import { composeQueues } from '../../src/app/compose/queue.ts';
import { loadConfig } from '../../src/app/config.ts';
import { createLog } from '../../src/base/log.ts';
import { useDatabase } from '../support/database.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';

const other = useDatabase();

describeOnEachQueue('two databases whose queues are on one server', (installation) => {
  test('queues of two databases do not get each other’s jobs', async () => {
    const closers: Closer[] = [];
    const open = ({ url, db }: Pick<typeof other, 'url' | 'db'>) => {
      const config = loadConfig({ DATABASE_URL: url, ...installation.queue }, { cwd: '/' });
      const base = { config, databaseUrl: url, log: createLog({ level: 'silent' }), db };
      return composeQueues(base, closers);
    };
    try {
      const [one, same, another] = [
        await open({ url: installation.databaseUrl, db: installation.db }),
        await open({ url: installation.databaseUrl, db: installation.db }),
        await open(other),
      ];
      await one.queues.enqueue(watchRuns, {});
      expect(await same.store.depths(watchRuns.name)).toMatchObject({ waiting: 1 });
      expect(await another.store.depths(watchRuns.name)).toMatchObject({ waiting: 0 });
    } finally {
      await unwind(closers);
    }
  });
});
