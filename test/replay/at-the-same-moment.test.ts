import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { RunRefused } from '../../src/errors.ts';
import { foldLedger } from '../../src/ledger/fold.ts';
import { createRuns, type Run } from '../../src/ledger/runs.ts';
import { nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { recallEverything, rememberEverything } from '../support/remember-everything.ts';
import { disagreements } from '../support/truth.ts';
import { misreadingProducts, rejectingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

/** A fold leaves the last four that are published whole. */
const nights = [1, 2, 3, 4, 5, 6].map((day) => `2026-03-0${day}`);
const all = { from: nights[0]!, to: nights.at(-1)! };
const someRejected = rejectingProducts(({ productId }) => productId.endsWith('7'));
const penceAsPounds = misreadingProducts((product) => ({
  ...product,
  priceMinor: product.priceMinor === null ? null : product.priceMinor * 100,
}));

describe('a replay applied, a held run staged again and a fold meet', () => {
  const book = useReplayedBook({ items: 60, superDepartments: 2, dailyChange: 0.1, dailyTurnover: 0.02 }, ['uk']);
  let lastRun: Run;
  beforeAll(async () => {
    for (const night of nights.slice(0, 4)) await book.crawl(night, { endpointsOf: someRejected });
    const [before] = await book.crawl(nights[4]!, { endpointsOf: penceAsPounds });
    const [held] = await book.crawl(nights[5]!, { endpointsOf: penceAsPounds });
    expect([before!.status, held!.status]).toEqual(['held', 'held']);
    // From here on the last night stands on another base than it was staged against.
    await book.release(before!.runId);
    lastRun = held!;
    await rememberEverything(book.installation.db);
  });
  beforeEach(() => recallEverything(book.installation.db));

  test.each(['the replay', 'the release'] as const)(
    '%s comes first: each is done or refused in one line, and once what was refused is done every night is as it was served',
    async (first) => {
      const { db } = book.installation;
      const { runId } = lastRun;
      const outcomes = await (first === 'the replay' ? replayMetBy(runId) : releaseMetBy(runId));
      const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(refusals.filter((why) => !(why instanceof RunRefused))).toEqual([]);
      expect(outcomes.slice(0, 2).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      // Otherwise no fold was met.
      expect(outcomes[1]).not.toMatchObject({ value: { runs: 0 } });
      expect(await brokenInvariants(db)).toEqual([]);

      await book.replay(all, { apply: true });
      await fold();
      expect(await createRuns(db).byId(runId)).toMatchObject({ status: 'published' });
      expect(await brokenInvariants(db)).toEqual([]);
      for (const night of nights) expect(await disagreements(db, book.simulator, 'uk', night), night).toEqual([]);
      expect(await book.replay(all)).toMatchObject({ rows: [] });
    },
  );

  /** The others begin when the replay has read its third night. */
  async function replayMetBy(held: number) {
    let met: Promise<PromiseSettledResult<unknown>[]> | null = null;
    let read = 0;
    const onNight = () => {
      read += 1;
      if (read === 3) met = Promise.allSettled([fold(), book.release(held)]);
    };
    const replayed = await Promise.allSettled([book.replay(all, { apply: true, onNight })]);
    return [...replayed, ...(await met!)];
  }

  /** The others begin while the release stages its run again. */
  async function releaseMetBy(held: number) {
    const released = book.release(held);
    await expect.poll(isStaging, { interval: 5 }).toBe(true);
    return Promise.allSettled([released, fold(), book.replay(all, { apply: true })]);
  }

  async function isStaging(): Promise<boolean> {
    const [row] = await rowsOf<{ isStaging: boolean }>(
      book.installation.db,
      `select to_regnamespace('stage_replay') is not null as "isStaging"`,
    );
    return row!.isStaging;
  }

  const fold = () => foldLedger(book.installation.db, { before: nightOf('2026-04-01') });
});
