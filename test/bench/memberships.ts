import { rowsOf } from '../../src/db/rows.ts';
import { openDatabases, withGround } from '../prove/ground.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';
import type { Bench, Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const firstNight = '2026-03-01';
const told = [1, 7, 30];
/** Where Ireland's pages have neither, details fill them in. */
const bareIreland = ['gtin', 'superDepartmentId', 'departmentId', 'aisleId', 'shelfId'].map((field) => ({
  kind: 'renamedField' as const,
  endpoint: 'ireland-category-page',
  field,
  to: 'unused',
}));

/** Share of the true memberships that is known after nights with and without shelves, and the requests of a night. */
export const memberships: Figure = {
  name: 'memberships',
  run: (bench) =>
    onUpstream(bench, async (upstream, openBook) => {
      const measured: Measured[] = [];
      for (const [every, nights] of [
        [0, 2],
        [7, 7],
        [30, 30],
      ] as const) {
        const { book, close } = await openBook({ MEMBERSHIP_NIGHTS: String(every) });
        measured.push(...(await measureShelves(book, upstream, { every, nights, say: bench.say })));
        await close();
      }
      return measured;
    }),
};

/** Share of the products with a barcode and a category where details fill in what the listing lacks. */
export const filledIn: Figure = {
  name: 'filled-in',
  run: (bench) =>
    onUpstream(bench, async (upstream, openBook) => {
      await upstream.change({ faults: bareIreland });
      const { book, close } = await openBook({}, 1_000);
      const measured = await measureFilled(book, upstream, bench.say);
      await close();
      return measured;
    }),
};

type OpenBook = (
  env: Readonly<Record<string, string>>,
  maxDetails?: number,
) => Promise<{ book: DirectBook; close(): Promise<void> }>;

async function onUpstream(
  { items }: Bench,
  measure: (upstream: Upstream, openBook: OpenBook) => Promise<Measured[]>,
): Promise<Measured[]> {
  const upstream = await startUpstream({ items: Math.min(items, 30_000) });
  try {
    return await withGround((ground) =>
      measure(upstream, async (env, maxDetails = 0) => {
        const { url, drop } = await openDatabases(ground);
        const book = await openDirectBook({ upstream: upstream.url, env: { DATABASE_URL: url, ...env }, maxDetails });
        return {
          book,
          async close() {
            await book.close();
            await drop();
          },
        };
      }),
    );
  } finally {
    await upstream.close();
  }
}

interface Shelving {
  readonly every: number;
  readonly nights: number;
  readonly say: Bench['say'];
}

async function measureShelves(
  book: DirectBook,
  upstream: Upstream,
  { every, nights, say }: Shelving,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  let requests = 0;
  for (let n = 1; n <= nights; n += 1) {
    const date = daysAfter(firstNight, n - 1);
    await upstream.change({ date });
    const run = await book.night('uk', date);
    requests += run.requestsSpent!;
    say(`shelves every ${every} nights, ${date}: ${run.requestsSpent} requests, ${run.verdict}`);
    if (!told.includes(n) && n < nights) continue;
    const known = new Map<string, Set<string>>();
    const rows = await rowsOf<{ product: string; category: string }>(
      book.base.db,
      `select product_id as product, category_id as category from marts.bridge_product_category
       where region = 'uk' and valid_to is null`,
    );
    for (const { product, category } of rows) known.set(product, (known.get(product) ?? new Set()).add(category));
    const truth = await upstream.truth('uk', date);
    const all = truth.flatMap(({ productId, categoryIds }) => categoryIds.map((id) => known.get(productId)?.has(id)));
    measured.push({
      what: `memberships known after ${n} nights, shelves every ${every}`,
      value: (100 * all.filter(Boolean).length) / all.length,
      unit: '%',
      target: null,
      from: `${all.length} memberships, ${Math.round(requests / n)} requests a night`,
    });
  }
  return measured;
}

async function measureFilled(book: DirectBook, upstream: Upstream, say: Bench['say']): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (let n = 1; n <= 30; n += 1) {
    const date = daysAfter(firstNight, n - 1);
    await upstream.change({ date });
    for (const region of ['uk', 'ie'] as const) {
      const run = await book.night(region, date);
      say(`details, ${region} ${date}: ${run.requestsSpent} requests, ${run.verdict}`);
      if (!told.includes(n)) continue;
      const truth = await upstream.truth(region, date);
      const [row] = await rowsOf<{ products: number; barcodes: number; departments: number; shelves: number }>(
        book.base.db,
        `select count(*)::int as products, count(gtin)::int as barcodes, count(department)::int as departments,
           count(*) filter (where exists (
             select from marts.product_category_now member
             join marts.dim_category category using (category_key)
             where member.product_key = product.product_key and category.depth > 0))::int as shelves
         from marts.dim_product product
         where region = $1 and availability in ('available', 'unavailable')`,
        [region],
      );
      const { products, barcodes, departments, shelves } = row!;
      const share = (what: string, value: number, of: number): Measured => ({
        what: `${region}: products with ${what} after ${n} nights`,
        value: (100 * value) / of,
        unit: '%',
        target: null,
        from: `${value} of ${of}`,
      });
      const coded = truth.filter(({ gtin }) => gtin !== null).length;
      measured.push(
        share('a barcode, of those that have one', barcodes, coded),
        share('a department', departments, products),
        share('a category below it', shelves, products),
      );
    }
  }
  return measured;
}
