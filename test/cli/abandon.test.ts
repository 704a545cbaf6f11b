import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { openRun } from '../support/open-run.ts';
import { useHousehold } from './pricebook.ts';

describe('crawl --abandon', () => {
  const database = useDatabase();
  const { run } = useHousehold();
  beforeEach(async () => {
    await forgetEverything(database.db);
  });

  test('--abandon discards the staged data of an open run, and the night can be crawled again', async () => {
    const { runId } = await openRun(database.db);
    const { code, stderr, stdout } = await abandon(runId);
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: `uk 2026-03-01: run ${runId} is abandoned; nothing of it is published.\n`,
      stdout: '',
    });
    expect(
      await rowsOf(database.db, 'select status, phase, epoch, finished_at >= started_at as ends from ops.run'),
    ).toEqual([{ status: 'abandoned', phase: 'over', epoch: 2, ends: true }]);
    expect(await rowsOf(database.db, 'select 1 from stage.category')).toEqual([]);
    expect((await openRun(database.db)).runId).toBeGreaterThan(runId);
  });

  test('--abandon refuses a finished or unknown run in one line', async () => {
    const { runId } = await openRun(database.db);
    await abandon(runId);
    expect(await abandon(runId)).toEqual({
      code: 1,
      stderr: `pricebook: Run ${runId} of uk 2026-03-01 is already over (abandoned); there is nothing to abandon.\n`,
      stdout: '',
    });
    expect(await abandon(runId + 1)).toMatchObject({ code: 1, stderr: `pricebook: There is no run ${runId + 1}.\n` });
  });

  test('status suggests --abandon for a run without workers', async () => {
    const { runId } = await openRun(database.db);
    const { stdout } = await run(['status'], { DATABASE_URL: database.url });
    expect(stdout).toContain(`abandon it (\`npm run --silent pricebook -- crawl --abandon ${runId}\`)`);
  });

  function abandon(runId: number) {
    return run(['crawl', '--abandon', String(runId)], { DATABASE_URL: database.url });
  }
});
