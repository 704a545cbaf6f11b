import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { AccessDenied } from '../../src/base/errors.ts';
import { createLog } from '../../src/base/log.ts';
import { createRuns } from '../../src/crawl/ledger/runs.ts';
import { registerWorker } from '../../src/crawl/ledger/workers.ts';
import { createPausing } from '../../src/crawl/pausing.ts';
import { isOtherKeyAtWork } from '../../src/gateway/limits/key-print.ts';
import { useDatabase } from '../support/database.ts';
import { openRun } from '../support/open-run.ts';

const database = useDatabase();
const clock = systemClock;

test('a process with a stopped key leaves the run to one with another key, only while that one is alive', async () => {
  const { db } = database;
  const runs = createRuns(db);
  const { runId } = await openRun(db);
  const other = await registerWorker(db, clock, { pid: process.pid, command: 'crawl', key: 'another key' });
  const { pause, isStandingAside } = createPausing({ db, clock, log: createLog({ level: 'silent' }), runs }, () =>
    isOtherKeyAtWork(db, { listing: 'grocery', print: 'our key', now: clock.now() }),
  );
  const refused = new AccessDenied('grocery', 'You are not subscribed to this API.', 'GROCERY_KEY');
  const waitsFor = async () => (await runs.byId(runId)).pausedFor;

  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    await pause(runId, refused);
    await pause(runId, refused);
    expect([isStandingAside(), await waitsFor()]).toEqual([true, null]);
    vi.advanceTimersByTime(60_000);
    await pause(runId, refused);
    expect([isStandingAside(), await waitsFor()]).toEqual([true, null]);
    await other.close();
    vi.advanceTimersByTime(60_000);
    await pause(runId, refused);
    expect([isStandingAside(), await waitsFor()]).toEqual([false, refused.message]);
  } finally {
    vi.useRealTimers();
  }
});
