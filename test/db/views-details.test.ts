import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeCertificate } from '../../src/cli/describe-certificate.ts';
import { missedShare } from '../../src/plan/share-interval.ts';
import { readCertificate } from '../../src/status/certificates.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';

interface Night {
  readonly leftOut: number;
  /** Drawn by chance, and of them changed; null: none was. */
  readonly audit: readonly [visits: number, changes: number] | null;
  readonly refresh: readonly [visits: number, changes: number];
}

const visits = (most: number) =>
  fc.nat(most).chain((asked) => fc.nat(asked).map((changed) => [asked, changed] as const));
const [drawn] = fc.sample(
  fc.array(fc.record<Night>({ leftOut: fc.nat(5_000), audit: fc.option(visits(12)), refresh: visits(200) }), {
    minLength: 40,
    maxLength: 40,
  }),
  { seed: 7, numRuns: 1 },
);
const nights: readonly Night[] = [{ leftOut: 100, audit: null, refresh: [10, 2] }, ...drawn!];

describe('fct_detail_night', () => {
  const database = useDatabase();
  const dateOf = (night: number) => new Date(Date.UTC(2026, 0, 1 + night, 2)).toISOString();

  beforeAll(async () => {
    const { db } = database;
    await insert(
      db,
      'ops.run',
      nights.map((_, i) => ({
        run_id: i + 1,
        region: 'uk',
        snapshot_date: dateOf(i).slice(0, 10),
        observed_at: dateOf(i),
        status: 'published',
        phase: 'over',
        max_details: 0,
        origin: 'command',
        started_at: dateOf(i),
        finished_at: dateOf(i),
        verdict: 'complete',
        products_listed: 1,
        products_available: 1,
        requests_spent: 1,
      })),
    );
    await insert(
      db,
      'ops.run_forecast',
      nights.map(({ leftOut }, i) => ({
        run_id: i + 1,
        taxonomy: 1,
        listing: 1,
        details: 1,
        seconds: 1,
        assumed: '[]',
        details_left_out: leftOut,
      })),
    );
    await insert(
      db,
      'ops.detail_yield',
      nights.flatMap(({ audit, refresh }, i) => [
        { run_id: i + 1, reason: 'refresh', visits: refresh[0], changes: refresh[1] },
        { run_id: i + 1, reason: 'missing', visits: 3, changes: 3 },
        ...(audit ? [{ run_id: i + 1, reason: 'audit', visits: audit[0], changes: audit[1] }] : []),
      ]),
    );
    const certified = { verdict: 'complete', reasons: [], evidence: '{}', computed_at: dateOf(40) };
    await insert(db, 'ops.certificate', [
      { ...certified, run_id: 1 },
      { ...certified, run_id: 41 },
    ]);
  });

  test('says what the formula says of the last 30 runs, night by night', async () => {
    const { rows } = await database.db.query<{ pct: (number | null)[] }>(
      `select array[audited, audited_changed, missed_share_pct, missed_share_low_pct, missed_share_high_pct]::float8[] as pct
       from marts.fct_detail_night order by snapshot_date`,
    );
    const expected = nights.map((_, i) => {
      const last = nights.slice(Math.max(0, i - 29), i + 1);
      const sum = (pick: (night: Night) => number) => last.reduce((total, night) => total + pick(night), 0);
      const asked = sum(({ audit }) => audit?.[0] ?? 0);
      const changed = sum(({ audit }) => audit?.[1] ?? 0);
      const leftOut = sum((night) => (night.audit ? night.leftOut : 0));
      const missed = missedShare({ asked, changed, leftOut, found: sum(({ refresh }) => refresh[1]) });
      const inPercent = (share: number | undefined) => (share === undefined ? null : 100 * share);
      return [asked, changed, inPercent(missed?.share), inPercent(missed?.low), inPercent(missed?.high)];
    });
    rows.forEach(({ pct }, night) => {
      pct.forEach((value, i) => {
        if (value === null || expected[night]![i] === null) expect(value).toBe(expected[night]![i]);
        else expect(Math.abs(value - expected[night]![i]!)).toBeLessThanOrEqual(0.0051);
      });
    });
    expect(rows).toHaveLength(nights.length);
  });

  test('is named on the certificate, once anything was drawn by chance', async () => {
    const first = await readCertificate(database.db, 1);
    expect(first!.missedDetails).toBeNull();
    expect(describeCertificate(first!)).not.toContain('missed');
    const last = await readCertificate(database.db, 41);
    const { sharePct, lowPct, highPct, audited } = last!.missedDetails!;
    expect(lowPct).toBeLessThan(sharePct);
    expect(highPct).toBeGreaterThan(sharePct);
    expect(describeCertificate(last!)).toContain(
      `${sharePct} % of the detail changes were missed (95 %: ${lowPct} to ${highPct} %), by ${audited} products drawn by chance`,
    );
  });
});
