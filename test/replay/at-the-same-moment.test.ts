import { beforeEach, describe, expect, test } from 'vitest';
import { RunRefused } from '../../src/base/errors.ts';
import { abandonRun } from '../../src/crawl/run/end.ts';
import { createRuns, type Run } from '../../src/crawl/run/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import type { ReplayedNight } from '../../src/publish/replay/replay.ts';
import { nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-01', '2026-03-02'];

describe('decisions about a night while a replay reads it', () => {
  const book = useReplayedBook({ items: 60, superDepartments: 2, dailyChange: 0.1 }, ['uk']);
  const both = { from: nights[0]!, to: nights[1]! };
  const release = { why: 'they are so dear' };
  const runs = () => createRuns(book.installation.db);
  beforeEach(() => forgetEverything(book.installation.db));

  test('a release of a held night waits for the replay, and then publishes what the replay read', async () => {
    const { runId } = await crawlHeld();
    let released: Promise<unknown> = Promise.resolve();
    const onNight = whenRead(() => {
      released = book.release(runId, release.why);
    });
    await book.replay(both, { apply: true, onNight });
    await released;
    await expectReleased(runId);
    await book.replay(both, { apply: true });
    await expectReleased(runId);
  });

  test('a night cannot be abandoned while a replay publishes it', async () => {
    const { runId } = await crawlHeld();
    const { db } = book.installation;
    let abandoned: Promise<unknown> = Promise.resolve();
    const onNight = whenRead(() => {
      abandoned = abandonRun({ db, runs: runs() }, runId, nightOf('2026-04-01'));
      abandoned.catch(() => undefined);
    });
    await book.replay(both, { apply: true, release: { ...release, runId }, onNight });
    await expect(abandoned).rejects.toThrow(`Run ${runId} of uk ${nights[1]} is already over (published)`);
    await expectReleased(runId);
  });

  test('a decision is required before replaying nights that a held night was compared with', async () => {
    const { runId } = await crawlHeld();
    const replayed = book.replay({ from: nights[0]!, to: nights[0]! }, { apply: true });
    await expect(replayed).rejects.toThrow(RunRefused);
    await expect(replayed).rejects.toThrow(`--abandon ${runId}`);
  });

  /** A published night and a second one that every mapping holds. */
  async function crawlHeld(): Promise<Run> {
    await book.crawl(nights[0]!);
    book.simulator.change({ faults: [{ kind: 'pencePrices' }] });
    const [held] = await book.crawl(nights[1]!);
    book.simulator.change({ faults: [] });
    expect(held!.status).toBe('held');
    return held!;
  }

  /** Does something when the replay has read all nights and applied none. */
  function whenRead(work: () => void) {
    return ({ snapshotDate }: ReplayedNight) => {
      if (snapshotDate === both.to) work();
    };
  }

  async function expectReleased(runId: number) {
    const { db } = book.installation;
    expect(await runs().byId(runId)).toMatchObject({ status: 'published', verdict: 'complete_within_tolerance' });
    const why = await rowsOf(db, 'select released_because as why from ops.certificate where run_id = $1', [runId]);
    expect(why).toEqual([{ why: release.why }]);
    expect(await brokenInvariants(db)).toEqual([]);
  }
});
