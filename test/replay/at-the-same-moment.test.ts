import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RunRefused } from '../../src/base/errors.ts';
import { abandonRun } from '../../src/crawl/ledger/end-run.ts';
import { move } from '../../src/crawl/ledger/run-life.ts';
import { createRuns, type Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import type { ReplayedNight } from '../../src/publish/replay/replay-archive.ts';
import { nightOf } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { recallEverything, rememberEverything } from '../support/remember-everything.ts';
import { disagreements } from '../support/truth.ts';
import { breakingPages, misreadingProducts, rejectingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = [1, 2, 3, 4, 5, 6].map((day) => `2026-03-0${day}`);
const all = { from: nights[0]!, to: nights.at(-1)! };
const someRejected = rejectingProducts(({ productId }) => productId.endsWith('7'));
const penceAsPounds = misreadingProducts((product) => ({
  ...product,
  priceMinor: product.priceMinor === null ? null : product.priceMinor * 100,
}));

describe('a replay and a held run that are published at the same moment', () => {
  const book = useReplayedBook({ items: 60, superDepartments: 2, dailyChange: 0.1, dailyTurnover: 0.02 }, ['uk']);
  let lastRun: Run;
  beforeAll(async () => {
    for (const night of nights.slice(0, 4)) await book.crawl(night, { endpointsOf: someRejected });
    const [before] = await book.crawl(nights[4]!, { endpointsOf: penceAsPounds });
    const [held] = await book.crawl(nights[5]!, { endpointsOf: penceAsPounds });
    expect([before!.status, held!.status]).toEqual(['held', 'held']);
    // From here on the last night has another base than when it was staged.
    await book.release(before!.runId);
    lastRun = held!;
    await rememberEverything(book.installation.db);
  });
  beforeEach(() => recallEverything(book.installation.db));

  test.each(['the replay', 'the release'] as const)(
    '%s comes first: each succeeds or is refused in one line, and repeating the refused one restores every night',
    async (first) => {
      const { db } = book.installation;
      const { runId } = lastRun;
      const outcomes = await (first === 'the replay' ? replayMetBy(runId) : releaseMetBy(runId));
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refusals.filter((why) => !(why instanceof RunRefused))).toEqual([]);
      expect(refusals.length).toBeLessThan(outcomes.length);
      expect(await brokenInvariants(db)).toEqual([]);

      await book.replay(all, { apply: true });
      expect(await createRuns(db).byId(runId)).toMatchObject({ status: 'published' });
      expect(await brokenInvariants(db)).toEqual([]);
      for (const night of nights) expect(await disagreements(db, book.simulator, 'uk', night), night).toEqual([]);
      expect(await book.replay(all)).toMatchObject({ rows: [] });
    },
  );

  /** The release begins when the replay has read its third night. */
  async function replayMetBy(held: number) {
    let met: Promise<PromiseSettledResult<unknown>[]> | null = null;
    let read = 0;
    const onNight = () => {
      read += 1;
      if (read === 3) met = Promise.allSettled([book.release(held)]);
    };
    const replayed = await Promise.allSettled([book.replay(all, { apply: true, onNight })]);
    return [...replayed, ...(await met!)];
  }

  /** The replay begins while the release stages its run again. */
  async function releaseMetBy(held: number) {
    const released = book.release(held);
    await expect.poll(isAtWork, { interval: 5 }).toBe(true);
    return Promise.allSettled([released, book.replay(all, { apply: true })]);
  }

  async function isAtWork(): Promise<boolean> {
    const open = await rowsOf(
      book.installation.db,
      `select from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`,
    );
    return open.length > 0;
  }
});

describe('decisions about a night while a replay reads it', () => {
  const book = useReplayedBook({ items: 60, superDepartments: 2, dailyChange: 0.1 }, ['uk']);
  const both = { from: nights[0]!, to: nights[1]! };
  const release = { why: 'they are so dear' };
  const runs = () => createRuns(book.installation.db);
  beforeEach(() => forgetEverything(book.installation.db));

  test('a release of a held night stays valid: the replay changes nothing and reports it', async () => {
    const { runId } = await crawlHeld();
    const onNight = whenRead(() => book.release(runId, release.why));
    await expect(book.replay(both, { apply: true, onNight })).rejects.toThrow(
      new RunRefused(
        `Run ${runId} (uk ${nights[1]}) was held when the replay began, and is published now. Replay once more; ` +
          'nothing was changed.',
      ),
    );
    await expectReleased(runId);
    await book.replay(both, { apply: true });
    await expectReleased(runId);
  });

  test('a release of a partial night stays valid', async () => {
    await book.crawl(nights[0]!);
    const [partial] = await book.crawl(nights[1]!, { endpointsOf: breakingPages(({ pageNo }) => pageNo > 1) });
    expect(partial).toMatchObject({ status: 'published', verdict: 'partial' });
    const { runId } = partial!;
    const onNight = whenRead(() => book.release(runId, release.why));
    await expect(book.replay(both, { apply: true, onNight })).rejects.toThrow(
      'was partial when the replay began, and is complete_within_tolerance now',
    );
    await expectReleased(runId);
  });

  test('an abandoned night stays abandoned: the replay that would release it publishes nothing of it', async () => {
    const { runId, observedAt } = await crawlHeld();
    const { db } = book.installation;
    const onNight = whenRead(() => abandonRun({ db, runs: runs() }, runId, nightOf('2026-04-01')));
    await expect(book.replay(both, { apply: true, release: { ...release, runId }, onNight })).rejects.toThrow(
      'was held when the replay began, and is abandoned now',
    );
    expect(await runs().byId(runId)).toMatchObject({ status: 'abandoned' });
    expect(await rowsOf(db, 'select from catalog.price_spell where valid_from >= $1', [observedAt])).toEqual([]);
    expect(await brokenInvariants(db)).toEqual([]);
  });

  test('a release is refused if a replay is applied between its staging and publication', async () => {
    const { runId } = await crawlHeld();
    const released = book.release(runId, release.why, () => book.replay(both, { apply: true }));
    await expect(released).rejects.toThrow(
      new RunRefused(
        `Run ${runId} (uk ${nights[1]}) was read again while it was being released, by a replay or another release. ` +
          `See what holds it now, \`pricebook certify --run ${runId}\`, and release it again; nothing was changed.`,
      ),
    );
    expect(await runs().byId(runId)).toMatchObject({ status: 'held' });
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
    await book.release(runId, release.why);
    await expectReleased(runId);
  });

  test('a release reports that the night was abandoned meanwhile', async () => {
    const { runId } = await crawlHeld();
    const { db } = book.installation;
    const abandon = () => abandonRun({ db, runs: runs() }, runId, nightOf('2026-04-01'));
    await expect(book.release(runId, release.why, abandon)).rejects.toThrow(
      new RunRefused(`Run ${runId} is abandoned: nothing of it is kept, so there is nothing to release.`),
    );
    expect(await brokenInvariants(db)).toEqual([]);
  });

  test('an abandonment reports that the night was released meanwhile', async () => {
    const { runId } = await crawlHeld();
    const { db } = book.installation;
    let abandoned = Promise.resolve<unknown>(null);
    await db.tx(async (tx) => {
      expect(await move(tx, 'release', { runId })).toBe(true);
      abandoned = abandonRun({ db, runs: runs() }, runId, nightOf('2026-04-01'));
      abandoned.catch(() => undefined);
      await expect.poll(isWaiting, { interval: 5 }).toBe(true);
    });
    await expect(abandoned).rejects.toThrow(`Run ${runId} of uk ${nights[1]} is already over (published)`);

    async function isWaiting(): Promise<boolean> {
      const waiting = await rowsOf(
        db,
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    }
  });

  test('a decision is required before replaying nights that a held night was compared with', async () => {
    const { runId } = await crawlHeld();
    const replayed = book.replay({ from: nights[0]!, to: nights[0]! }, { apply: true });
    await expect(replayed).rejects.toThrow(
      new RunRefused(
        `Run ${runId} (uk ${nights[1]}) is held, and its checks compared it with the replayed nights. ` +
          `Replay up to it, or abandon it with \`pricebook crawl --abandon ${runId}\`; nothing was changed.`,
      ),
    );
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
  function whenRead(work: () => Promise<unknown>) {
    return async ({ snapshotDate }: ReplayedNight) => void (snapshotDate === both.to && (await work()));
  }

  async function expectReleased(runId: number) {
    const { db } = book.installation;
    expect(await runs().byId(runId)).toMatchObject({ status: 'published', verdict: 'complete_within_tolerance' });
    const why = await rowsOf(db, 'select released_because as why from ops.certificate where run_id = $1', [runId]);
    expect(why).toEqual([{ why: release.why }]);
    expect(await brokenInvariants(db)).toEqual([]);
  }
});
