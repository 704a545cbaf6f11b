import { describe, expect, test } from 'vitest';
import { readFindings } from '../../src/crawl/status/certificates.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { releaseRun } from '../../src/publish/release-run.ts';
import type { FaultRule } from '../../src/simulator/index.ts';
import { shelvesOf } from '../support/shelves.ts';
import { disagreements } from '../support/truth.ts';
import { availabilities, type BookUnderTest, saidGone, useDirectBook } from './use-direct-book.ts';

const firstNight = '2026-03-01';
const supermarket = { items: 240, superDepartments: 3 } as const;
const still = { ...supermarket, evolve: false } as const;
/** A real fall: neither listed nor known by their own pages. */
const real = { withdrawn: 0.27 } as const;
/** A false one: listed nowhere, in no total, and for sale by their own pages. */
const unlisted: FaultRule = { kind: 'unlisted', share: 0.27 };
const falsely = { faults: [unlisted] } as const;
/** No product can be requested by id. */
const silent: FaultRule = { kind: 'gateway404', endpoint: 'product-details' };

describe('a fall of 27 %', () => {
  const trust = useDirectBook(still, { firstNight });

  test('a fall that products’ own pages confirm is certified with the reason', async () => {
    const listed = await count(trust, '2026-03-01');
    const run = await trust.night('2026-03-02', real);
    expect([run.status, run.verdict]).toEqual(['published', 'complete_within_tolerance']);
    const gone = listed - (await count(trust, '2026-03-02'));
    expect(gone).toBeGreaterThan(50);
    const reasons = await reasonsOf(trust, run.runId);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(
      new RegExp(
        `^${gone} of ${listed} listed products were not seen \\(${Math.floor(0.05 * listed)} are tolerated 1 night ` +
          'after the last certified one\\): all \\d+ products checked at random are gone by their own pages, so ' +
          'fewer than 5 % are still there \\(95 % confidence\\)$',
      ),
    );
    expect(await saidGone(trust.book.base.db)).toBe(gone);
    await expectAsksWithinAllowance(run.runId);
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-02')).toEqual([]);

    for (const date of ['2026-03-03', '2026-03-04']) {
      expect((await trust.night(date, real)).verdict).toBe('complete');
      expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', date)).toEqual([]);
    }
    expect((await availabilities(trust.book.base.db))['delisted']).toBe(gone);
  });

  test('a fall that products’ own pages deny is partial, three nights in a row', async () => {
    for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      const run = await trust.night(date, falsely);
      expect([run.status, run.verdict]).toEqual(['published', 'partial']);
      expect((await reasonsOf(trust, run.runId)).join('\n')).toMatch(
        /\d+ of \d+ listed products were not seen \(.*\): \d+ of \d+ products checked are still for sale/,
      );
      await expectAsksWithinAllowance(run.runId);
    }
    expect(await saidGone(trust.book.base.db)).toBe(0);
    const run = await trust.night('2026-03-05');
    expect(run.verdict).toBe('complete');
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-05')).toEqual([]);
  });

  test('a partly false fall is partial', async () => {
    const run = await trust.night('2026-03-02', { withdrawn: 0.2, faults: [{ kind: 'unlisted', share: 0.1 }] });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('a fall on pages of departments only is read again where products remain, and is complete', async () => {
    const departments = shelvesOf(trust.simulator, '2026-03-01').map(({ categoryId }) => categoryId);
    const run = await trust.night('2026-03-02', { faults: [{ ...unlisted, categories: departments }] });
    expect(run.verdict).toBe('complete');
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-02')).toEqual([]);
  });

  test('a fall that a person released is the measure of the nights after it', async () => {
    const run = await trust.night('2026-03-02', falsely);
    const { signal } = new AbortController();
    await releaseRun(trust.book.context, { runId: run.runId, why: 'the range was cut', signal });
    expect((await trust.night('2026-03-03', falsely)).verdict).toBe('complete');
  });

  test('a fall is no reason for a check to hold the night', async () => {
    await trust.night('2026-03-01', {}, 'ie');
    const run = await trust.night('2026-03-02', { withdrawn: 0.6 });
    expect([run.status, run.verdict]).toEqual(['published', 'complete_within_tolerance']);
    const findings = await readFindings(trust.book.base.db, run.runId);
    expect(findings.filter(({ severity }) => severity === 'block')).toEqual([]);
  });

  test('a fall that a second night repeats from a cache stays partial: the same bytes confirm nothing', async () => {
    await trust.night('2026-03-02', { ...real, faults: [silent] });
    const run = await trust.night('2026-03-03', { ...real, faults: [silent] });
    expect(run.verdict).toBe('partial');
    expect((await reasonsOf(trust, run.runId)).join()).toContain('all pages are identical to those of 2026-03-02');
  });

  describe('after nine nights without a certified one', () => {
    test('after nine uncertified nights a tenth may be missing, and the certificate states it', async () => {
      const run = await trust.night('2026-03-10', { withdrawn: 0.1 });
      expect(run.verdict).toBe('complete_within_tolerance');
      expect((await reasonsOf(trust, run.runId)).join()).toMatch(/are tolerated 9 nights after the last certified one/);
      expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-10')).toEqual([]);
    });

    test('after nine uncertified nights a fall is partial if products’ own pages deny it', async () => {
      const run = await trust.night('2026-03-10', { faults: [{ ...unlisted, share: 0.1 }] });
      expect(run.verdict).toBe('partial');
      expect(await saidGone(trust.book.base.db)).toBe(0);
    });
  });

  /** Not more requests than a run may add to its pages. */
  async function expectAsksWithinAllowance(runId: number): Promise<void> {
    const { rereads, samples, asks, allowance } = await requestsOf(trust, runId);
    expect(asks).toBeGreaterThan(25);
    expect(rereads + samples + asks).toBeLessThanOrEqual(allowance);
  }
});

describe('a fall of 27 % where no product can be requested', () => {
  const trust = useDirectBook({ ...supermarket, dailyTurnover: 0, flicker: 0, dailyChange: 0.05 }, { firstNight });

  test('such a fall is partial the first night, and certified by a second one that sees the same', async () => {
    const first = await trust.night('2026-03-02', { ...real, faults: [silent] });
    expect(first.verdict).toBe('partial');
    expect((await reasonsOf(trust, first.runId)).join()).toMatch(
      /: own pages of 0 of the \d+ products to check were received, too few to be sure/,
    );
    expect(await saidGone(trust.book.base.db)).toBe(0);

    const second = await trust.night('2026-03-03', { ...real, faults: [silent] });
    expect(second.verdict).toBe('complete_within_tolerance');
    expect((await reasonsOf(trust, second.runId)).join()).toContain('the night of 2026-03-02 saw the same');
    expect(await disagreements(trust.book.base.db, trust.simulator, 'uk', '2026-03-03')).toEqual([]);
    expect((await trust.night('2026-03-04', { ...real, faults: [silent] })).verdict).toBe('complete');
  });

  test('such a fall stays partial when the same night is crawled twice', async () => {
    await trust.night('2026-03-02', { ...real, faults: [silent] });
    expect((await trust.night('2026-03-02', { ...real, faults: [silent] })).verdict).toBe('partial');
  });

  test('such a fall stays partial when the night before missed other products', async () => {
    await trust.night('2026-03-02', { ...real, faults: [silent] });
    const other = { withdrawn: 0, faults: [unlisted, silent] };
    expect((await trust.night('2026-03-03', other)).verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('such a fall stays partial when the night before knew that the products are there', async () => {
    await trust.night('2026-03-02', falsely);
    expect((await trust.night('2026-03-03', { faults: [unlisted, silent] })).verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('such a fall stays partial when the night before was partial for another reason', async () => {
    const failing: FaultRule = { kind: 'vendor400', endpoint: 'category-page', pages: [2] };
    await trust.night('2026-03-02', { ...real, faults: [silent, failing] });
    expect((await trust.night('2026-03-03', { ...real, faults: [silent] })).verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });
});

async function reasonsOf({ book }: BookUnderTest, runId: number): Promise<string[]> {
  const [row] = await rowsOf<{ reasons: string[] }>(
    book.base.db,
    'select reasons from ops.certificate where run_id = $1',
    [runId],
  );
  return row!.reasons;
}

interface Requests {
  readonly pages: number;
  readonly rereads: number;
  readonly samples: number;
  readonly asks: number;
  readonly allowance: number;
}

async function requestsOf({ book }: BookUnderTest, runId: number): Promise<Requests> {
  const [row] = await rowsOf<{ requests: Requests }>(
    book.base.db,
    `select evidence -> 'requests' as requests from ops.certificate where run_id = $1`,
    [runId],
  );
  return row!.requests;
}

/** Products the upstream shows now. */
function count({ simulator }: BookUnderTest, date: string): number {
  return [...simulator.truth('uk', date)].length;
}
