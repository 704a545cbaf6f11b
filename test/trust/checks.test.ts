import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { releaseRun } from '../../src/publish/release.ts';
import { readFindings } from '../../src/questions/certificates.ts';
import { readStatus } from '../../src/questions/status.ts';
import { physicalDump } from '../support/dump.ts';
import { disagreements } from '../support/truth.ts';
import { type BookUnderTest, useDirectBook } from './use-direct-book.ts';

const supermarket = { items: 240, superDepartments: 3, dailyChange: 0.05, promoted: 0.4 } as const;

describe('the checks', () => {
  const trust = useDirectBook(supermarket, { firstNight: '2026-03-01' });

  function release(runId: number, why: string) {
    return releaseRun(trust.book.context, { runId, why });
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
    const status = await readStatus({ db, runs, now: new Date(), listings: new Map() });
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
});

function findings({ book }: BookUnderTest, runId: number) {
  return readFindings(book.base.db, runId);
}
