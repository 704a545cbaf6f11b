import { beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { openRun } from '../support/open-run.ts';
import { useCliHome } from './pricebook.ts';

describe('crawl --abandon', () => {
  const database = useDatabase();
  const { run } = useCliHome();
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
      await rowsOf(database.db, 'select status, phase, run_token, finished_at >= started_at as ends from ops.run'),
    ).toEqual([{ status: 'abandoned', phase: 'over', run_token: 2, ends: true }]);
    expect(await rowsOf(database.db, 'select 1 from stage.category')).toEqual([]);
    expect((await openRun(database.db)).runId).toBeGreaterThan(runId);
  });

  function abandon(runId: number) {
    return run(['crawl', '--abandon', String(runId)], { DATABASE_URL: database.url });
  }
});
