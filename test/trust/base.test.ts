import { describe, expect, test } from 'vitest';
import { composeReplay } from '../../src/app/compose.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { releaseRun } from '../../src/publish/release.ts';
import { replay as replayNights } from '../../src/publish/replay/replay.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { useDirectBook } from './use-direct-book.ts';

const supermarket = { items: 120, superDepartments: 4, dailyChange: 0.1, dailyTurnover: 0.05, promoted: 0.3 };
const dear = { faults: [{ kind: 'pencePrices' }] } as const;
const { signal } = new AbortController();

describe('two nights held by a check', () => {
  const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' }, firstNight: '2026-03-01' });

  test('of two held nights the second comes in by a replay, without a request', async () => {
    const { db } = trust.book.base;
    const first = await trust.night('2026-03-02', dear);
    const second = await trust.night('2026-03-03', dear);
    expect([first.status, second.status]).toEqual(['held', 'held']);
    const asked = trust.simulator.log();

    await release(first.runId);
    await expect(release(second.runId)).rejects.toThrow(
      `pricebook replay --region uk --from 2026-03-03 --to 2026-03-03 --release ${second.runId} --why "…" --apply`,
    );
    await replay('2026-03-03', second.runId);
    expect(trust.simulator.log()).toEqual(asked);
    // The night after reads as the upstream showed it: nothing was taken for known that was not.
    const next = await trust.night('2026-03-04');
    await release(next.runId);
    expect(await disagreements(db, trust.simulator, 'uk', '2026-03-04')).toEqual([]);
    expect(await prices('2026-03-03')).toEqual(await shown('2026-03-03'));
    expect(await brokenInvariants(db)).toEqual([]);
  });

  test('a held night is not released while another is being crawled', async () => {
    const { runs } = trust.book.base;
    const held = await trust.night('2026-03-02', dear);
    trust.simulator.change({ faults: [], date: '2026-03-03' });
    const run = await trust.book.night('uk', '2026-03-03', async ({ phase }) => {
      if (phase === 'finishing') await expect(release(held.runId)).rejects.toThrow(`--release ${held.runId}`);
    });
    expect(run).toMatchObject({ status: 'published', verdict: 'complete' });
    expect((await runs.byId(held.runId)).status).toBe('held');
  });

  function release(runId: number) {
    return releaseRun(trust.book.context, { runId, why: 'everything is dear today' });
  }

  async function replay(night: string, runId: number) {
    const { config, clock, db } = trust.book.base;
    await replayNights(composeReplay({ config, clock, db }), {
      ...{ from: night, to: night, regions: ['uk'], apply: true, signal },
      release: { runId, why: 'everything is dear today' },
    });
  }

  async function prices(date: string): Promise<Record<string, number>> {
    const rows = await rowsOf<{ product_id: string; price: string }>(
      trust.book.base.db,
      `select product_id, price from marts.as_of('uk', $1)`,
      [date],
    );
    return Object.fromEntries(rows.map(({ product_id, price }) => [product_id, Math.round(Number(price) * 100)]));
  }

  /** Pence read as pounds. */
  async function shown(date: string): Promise<Record<string, number>> {
    const truth = [...trust.simulator.truth('uk', date)];
    return Object.fromEntries(truth.map(({ productId, priceMinor }) => [productId, 100 * (priceMinor ?? 0)]));
  }
});
