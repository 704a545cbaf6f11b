import { describe, expect, test } from 'vitest';
import { readFindings } from '../../src/crawl/status/certificates.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { releaseRun } from '../../src/publish/release-run.ts';
import { readStatus } from '../../src/questions/status.ts';
import { physicalDump } from '../support/dump.ts';
import { disagreements } from '../support/truth.ts';
import { type BookUnderTest, useDirectBook } from './use-direct-book.ts';

const supermarket = { items: 240, superDepartments: 3, dailyChange: 0.05, promoted: 0.4 } as const;

describe('the checks', () => {
  const trust = useDirectBook(supermarket, { firstNight: '2026-03-01' });

  function release(runId: number, why: string) {
    return releaseRun(trust.book.context, { runId, why, signal: new AbortController().signal });
  }

  test('checks hold a night whose prices are pence read as pounds, and leave the catalogue unchanged', async () => {
    const { db, runs } = trust.book.base;
    const before = await physicalDump(db);
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'pencePrices' }] });
    expect(run.status).toBe('held');
    const [jump] = await findings(trust, run.runId);
    expect(jump).toMatchObject({ name: 'price-jump', severity: 'block' });
    expect(jump!.message).toMatch(/^2\d\d of 2\d\d changed products cost about a hundred times as much/);
    expect(jump!.samples).toHaveLength(5);
    expect(await physicalDump(db)).toEqual(before);
    const status = await readStatus({ db, runs, now: new Date(), quotas: new Map() });
    expect(status.regions[0]!.held?.runId).toBe(run.runId);
    expect(status.regions[0]!.findings[0]!.name).toBe('price-jump');

    // The next night is crawled and published as if nothing had happened.
    const next = await trust.night('2026-03-03');
    expect([next.status, next.verdict]).toEqual(['published', 'complete']);
    expect(await disagreements(db, trust.simulator, 'uk', '2026-03-03')).toEqual([]);
    await expect(release(run.runId, 'too late')).rejects.toThrow(
      `pricebook replay --region uk --from 2026-03-02 --to 2026-03-03 --release ${run.runId} --why`,
    );
    const staged = await rowsOf(db, 'select 1 from stage.product limit 1');
    expect(staged).toEqual([]);
  });

  test('a person can publish what checks hold', async () => {
    const { db } = trust.book.base;
    const held = await trust.night('2026-03-02', { faults: [{ kind: 'pencePrices' }] });
    await release(held.runId, 'everything costs a hundred times as much today');
    const run = await trust.book.base.runs.byId(held.runId);
    expect([run.status, run.verdict]).toEqual(['published', 'complete_within_tolerance']);
    const [certificate] = await rowsOf<{ hash: string | null }>(
      db,
      `select reasons, released_because as because, released_from as
       from, content_hash::text as hash
       from ops.certificate
       where run_id = $1`,
      [held.runId],
    );
    expect(certificate).toMatchObject({
      reasons: [],
      because: 'everything costs a hundred times as much today',
      from: 'held',
    });
    expect(certificate!.hash).toMatch(/^\d+$/);
    const [dear] = await rowsOf<{ median: string }>(
      db,
      `select percentile_disc(0.5) within group (order by price)::text as median from marts.as_of('uk', '2026-03-02')`,
    );
    expect(Number(dear!.median)).toBeGreaterThan(100);
  });

  test('checks notice each renamed field', async () => {
    const renamed = { gtin: 'ean', brand: 'brandLabel', imageUrl: 'picture', promotions: 'offers' };
    const faults = Object.entries(renamed).map(([field, to]) => ({ kind: 'renamedField', field, to }) as const);
    const run = await trust.night('2026-03-02', { faults });
    expect(run.status).toBe('held');
    expect((await findings(trust, run.runId)).map(({ name, severity }) => `${severity} ${name}`)).toEqual(
      expect.arrayContaining(['block lost-gtin', 'block lost-brand', 'block lost-image', 'block promotions-gone']),
    );
  });

  test('checks notice that one region is answered with the other', async () => {
    await trust.night('2026-03-01', {}, 'ie');
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'swappedRegion', region: 'uk' }] });
    expect(run.status).toBe('held');
    expect((await findings(trust, run.runId)).map(({ name, severity }) => `${severity} ${name}`)).toContain(
      'block region-mix-up',
    );
  });

  test('checks do not compare a night with one that had another region’s products', async () => {
    // A book that knows one region only cannot tell whose goods these are, but that their barcodes belong to others.
    const swapped = await trust.night('2026-03-02', { faults: [{ kind: 'swappedRegion', region: 'uk' }] });
    expect(swapped.status).toBe('held');
    expect((await findings(trust, swapped.runId))[0]).toMatchObject({ name: 'duplicate-gtin', severity: 'block' });
    expect((await trust.night('2026-03-03')).verdict).toBe('complete');
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-03')).toEqual([]);
  });
});

describe('checks before the first night', () => {
  const trust = useDirectBook(supermarket);

  test('checks know plausible prices of groceries without an earlier night', async () => {
    const run = await trust.night('2026-03-01', { faults: [{ kind: 'pencePrices' }] });
    expect(run.status).toBe('held');
    expect((await findings(trust, run.runId))[0]).toMatchObject({ name: 'price-level', severity: 'block' });
  });
});

function findings({ book }: BookUnderTest, runId: number) {
  return readFindings(book.base.db, runId);
}
