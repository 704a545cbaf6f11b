import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/run/runs.ts';
import { releaseRun } from '../../src/publish/release.ts';
import { type Shelf, shelvesOf } from '../support/shelves.ts';
import { availabilities, codesOf, saidGone, useDirectBook } from './use-direct-book.ts';

const firstNight = '2026-03-01';
const still = { items: 200, superDepartments: 4, evolve: false } as const;

describe('no product is reported as gone', () => {
  const trust = useDirectBook(still, { firstNight });

  test('a night that shows a tenth reports nothing as gone, nor does the next after its release', async () => {
    const { book } = trust;
    const before = await availabilities(book.base.db);
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'tenth' }] });
    expect(run.verdict).toBe('partial');
    await releaseRun(book.context, { runId: run.runId, why: 'the range was cut' });
    expect((await book.base.runs.byId(run.runId)).verdict).toBe('complete_within_tolerance');
    // Other categories show products that these should list: the listing is not complete, whatever a person says.
    expect((await trust.night('2026-03-03', { faults: [{ kind: 'tenth' }] })).verdict).toBe('partial');
    expect(await availabilities(book.base.db)).toEqual(before);
  });
});

describe('a catalogue whose listings end at a thousand', () => {
  const trust = useDirectBook({ items: 1_700, superDepartments: 2, evolve: false, pageSize: 60 }, { firstNight });

  test('truncated listings are read through their children, and no product is reported as gone', async () => {
    const run = await trust.night('2026-03-02', { listingCap: 1_000 });
    expect(run.verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });
});

describe('products out of stock', () => {
  const outOfStock = { items: 60, superDepartments: 2, unavailable: 1, secondListing: 0, dailyTurnover: 0, flicker: 0 };
  const trust = useDirectBook(outOfStock, { firstNight });

  test('products that a category hides for three nights are reported as gone on the fourth', async () => {
    for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      const run = await hideOne(date);
      expect(run.verdict).toBe('partial');
      expect(await codesOf(trust, run.runId)).toEqual(['unseen_not_gone']);
      expect(await saidGone(trust.book.base.db)).toBe(0);
    }
    expect((await hideOne('2026-03-05')).verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBe(1);
  });

  test('products that are gone by their own pages are reported at once, and the night is complete', async () => {
    const run = await trust.night('2026-03-02', { withdrawn: 0.03 });
    expect(run.verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBeGreaterThan(0);
  });

  /** The last product of a category, whose total does not count it. */
  function hideOne(date: string): Promise<Run> {
    const [{ categoryId, products }] = shelvesOf(trust.simulator, date) as [Shelf];
    return trust.night(date, { faults: [{ kind: 'cap', categories: [categoryId], count: products - 1 }] });
  }
});
