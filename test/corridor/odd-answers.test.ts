import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import type { Reason } from '../../src/db/tables/index.ts';
import { readCertificate } from '../../src/questions/certificates.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Node,
  type Shelves,
  type SmallAnswer,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { crawlDirectly, type DirectNightOptions } from '../trust/direct-book.ts';

/** Ten products on each shelf of three departments. */
const shelves: Shelves = Object.fromEntries(
  ['Bakery', 'Drinks', 'Fresh Food'].map((top, index) => [
    `${top}|Shelf`,
    Array.from({ length: 10 }, (_, i) => ({ id: String(1_000 * (index + 1) + i), breadcrumb: [top, 'Shelf'] })),
  ]),
);

const usual: Partial<SmallUpstreamOptions> = {
  counts: {},
  page: (_, products) => products,
  instead: () => null,
  taxonomy: (own) => own,
  declared: (_, total) => total,
};

describe('unusual nights', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize: 4 });
  });
  beforeEach(async () => {
    upstream.change({ shelves, ...usual });
    await forgetEverything(installation.db);
  });
  afterAll(() => upstream?.close());

  async function night(
    date: string,
    change: Partial<SmallUpstreamOptions> = {},
    more: Pick<DirectNightOptions, 'maxDetails' | 'meanwhile'> = {},
  ) {
    upstream.change(change);
    const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], ...more });
    const [certificate] = await rowsOf<{ reasons: readonly Reason[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [run!.runId],
    );
    return { ...run!, reasons: certificate?.reasons ?? [], asked: upstream.log.length };
  }

  test('a night on which every page declares no products is certified, and so is the next', async () => {
    const odd = await night('2026-05-01', { counts: { resultsPerPage: 0 } });
    expect([odd.status, odd.verdict, odd.productsListed]).toEqual(['published', 'complete', 30]);
    // As earlier versions noted it.
    await installation.db.query('update ops.category_crawl set results_per_page = 0');
    const next = await night('2026-05-02', { counts: {} });
    expect([next.verdict, next.productsListed]).toEqual(['complete', 30]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('a night without page sizes whose first page has one product less is certified', async () => {
    // Listed outside its own shelf, so that only its place on a page shows that it is no advertisement.
    const both = Array.from({ length: 11 }, (_, i) => ({ id: String(5_000 + i), breadcrumb: ['Drinks', 'Shelf'] }));
    const ends = [0, 3, 7, 11];
    const run = await night('2026-05-01', {
      shelves: { 'Bakery|Shelf': both, 'Drinks|Shelf': both },
      counts: { resultsPerPage: undefined },
      page: ({ pageNo }) => both.slice(ends[pageNo - 1], ends[pageNo]),
    });
    expect([run.verdict, run.productsListed]).toEqual(['complete', 11]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test.each([
    ['ten products are a page', 10, 10],
    ['the first page holds a single one', 1, 24],
  ])('a night without page sizes and %s does not repeat many requests', async (_, first, size) => {
    const many = Array.from({ length: 240 }, (_, i) => ({ id: String(7_000 + i) }));
    const { status, productsListed, asked } = await night('2026-05-01', {
      shelves: { Bakery: many },
      counts: { resultsPerPage: undefined },
      page: ({ pageNo }) => many.slice((pageNo - 1) * size, pageNo === 1 ? first : pageNo * size),
    });
    expect([status, productsListed]).toEqual(['published', 240 - size + first]);
    expect(asked).toBeLessThan(50);
  });

  test('a night that misses a product is not certified because of unreadable promotions of others', async () => {
    const promotions = [{ description: null, offerType: 'CLUBCARD_PRICING' }];
    const { verdict, reasons } = await night('2026-05-01', {
      page: ({ pageNo }, products) =>
        (pageNo === 1 ? products.slice(1) : products).map((product) => ({ ...product, fields: { promotions } })),
    });
    expect(verdict).toBe('partial');
    expect(reasons).toContainEqual({ code: 'category_short', path: 'Bakery', figures: [9, 10, 0] });
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test.each<[string, SmallAnswer]>([
    ['leads elsewhere', { status: 302, body: '', headers: { location: 'https://elsewhere.example/' } }],
    ['is not found, in nobody’s words', { status: 404, body: { error: 'Not found' } }],
  ])('one page %s is lost alone, and all others are read', async (_, answer) => {
    const { verdict, productsListed, reasons, asked } = await night('2026-05-01', {
      instead: ({ path, pageNo }) => (path === 'Drinks' && pageNo === 2 ? answer : null),
    });
    // By the shelf below it the category is read whole.
    expect([verdict, productsListed, reasons]).toEqual([
      'partial',
      30,
      [{ code: 'pages_failed', path: 'Drinks', figures: [1, 3] }],
    ]);
    expect(asked).toBeLessThan(30);
  });

  /** The second page of Drinks, with its text changed. */
  const changed =
    (change: (text: string) => string, headers = {}): NonNullable<SmallUpstreamOptions['instead']> =>
    ({ path, pageNo }) => {
      if (path !== 'Drinks' || pageNo !== 2) return null;
      const [first] = shelves['Drinks|Shelf']!.slice(4);
      const product = { ...first, tpnb: null, price: { price: 1.5, unitPrice: 5.5, unitOfMeasure: 'kg' } };
      const products = [5, 6, 7, 8].map((i) => ({
        ...product,
        id: String(2_000 + i - 1),
        title: `Product ${i} of NaN`,
      }));
      const body = JSON.stringify({ success: true, data: { pageInformation: { totalResults: 10 }, products } });
      return { status: 200, body: Buffer.from(change(body)), headers };
    };
  const quarantined = () =>
    rowsOf<{ path: string; reason: string }>(
      installation.db,
      'select path, reason from ops.quarantine where endpoint = $1 order by quarantine_id',
      ['uk-category-page'],
    );
  const asks = () => upstream.log.filter((page) => page === 'Drinks p2').length;

  test.each(['NaN', 'Infinity', '-Infinity'])(
    'a page with %s instead of a number is read, and counts it',
    async (odd) => {
      const run = await night('2026-05-01', {
        instead: changed((text) => text.replace('"unitPrice":5.5', `"unitPrice":${odd}`)),
      });
      expect([run.verdict, run.productsListed, asks()]).toEqual(['complete', 30, 1]);
      expect(await quarantined()).toContainEqual({
        path: expect.stringMatching(/^\$ at \d+$/),
        reason: `not JSON: ${odd}`,
      });
      const [named] = await rowsOf(installation.db, `select title from marts.dim_product where title like '%of NaN'`);
      expect(named).toBeDefined();
    },
  );

  test.each<[string, (text: string) => string, RegExp, object]>([
    ['is cut off', (text) => text.slice(0, 300), /^not JSON: .* at position 300/, {}],
    ['has a trailing comma', (text) => text.replace(/}$/, ',}'), /^not JSON: .* at position \d+/, {}],
    ['is HTML', () => '<html>Sorry</html>', /^18 characters of text\/html/, { 'content-type': 'text/html' }],
    ['is empty', () => '', /^an empty body$/, {}],
  ])('a page that %s is asked for twice, and its reason is named', async (_, change, reason, headers) => {
    const run = await night('2026-05-01', { instead: changed(change, headers) });
    expect([run.verdict, run.reasons.map(({ code }) => code), asks()]).toEqual(['partial', ['pages_failed'], 2]);
    expect(await quarantined()).toEqual([{ path: '$', reason: expect.stringMatching(reason) }]);
    const certificate = await readCertificate(installation.db, { runId: run.runId });
    expect(certificate?.reasons.at(-1)).toMatch(/^uk-category-page could not be read: (not JSON|\d+ char|an empty)/);
  });

  test('a night without the endpoint of details is certified without them', async () => {
    const run = await night('2026-05-01', {}, { maxDetails: 10 });
    expect([run.status, run.verdict, run.productsListed]).toEqual(['published', 'complete', 30]);
    const details = await rowsOf(installation.db, 'select distinct status, outcome from ops.detail_fetch');
    expect(details).toEqual([{ status: 'failed', outcome: null }]);
  });

  test.each([
    ['is no object', () => 'Bakery', ['partial', 20]],
    ['has neither a name nor an id', ({ children }: Node) => ({ children }), ['partial', 20]],
    ['has the id of another', (node: Node) => ({ ...node, id: encodeCategoryId(['Drinks']) }), ['complete', 30]],
  ])('a night whose first category %s is certified if everything was read', async (_, odd, [verdict, listed]) => {
    const run = await night('2026-05-01', { taxonomy: ([first, ...others]) => [odd(first!), ...others] });
    expect([run.verdict, run.productsListed]).toEqual([verdict, listed]);
    if (verdict === 'partial') expect(run.reasons.map(({ code }) => code)).toContain('taxonomy_unread');
  });

  test('a night that was suspended for most of a day, past midnight, is not certified', async () => {
    const { verdict, reasons } = await night(
      '2026-05-01',
      {},
      {
        meanwhile: async ({ phase }) => {
          if (phase !== 'finishing') return;
          await installation.db.query(
            "update ops.category_page set fetched_at = fetched_at + interval '23 hours' where page_no > 1",
          );
        },
      },
    );
    expect([verdict, reasons.map(({ code }) => code)]).toEqual(['partial', ['paused']]);
  });

  test('a night without any products is not certified', async () => {
    const { verdict, reasons } = await night('2026-05-01', { page: () => [], declared: () => 0 });
    expect([verdict, reasons]).toEqual(['partial', [{ code: 'nothing_listed', figures: [] }]]);
  });

  test('a night with one unreadable promotion per product is certified, because all products are present', async () => {
    const promotions = [{ description: null, offerType: 'CLUBCARD_PRICING' }];
    const { verdict } = await night('2026-05-01', {
      page: (_, products) => products.map((product) => ({ ...product, fields: { promotions } })),
    });
    expect(verdict).toBe('complete');
    const kept = await rowsOf<{ reason: string }>(installation.db, 'select distinct reason from ops.quarantine');
    expect(kept).toEqual([{ reason: 'promotion: no description' }]);
  });
});
