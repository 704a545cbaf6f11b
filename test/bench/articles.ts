import { rowsOf } from '../../src/db/rows.ts';
import { fraction, hash } from '../../src/simulator/hash.ts';
import type { TrueProduct } from '../../src/simulator/index.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { openDatabases, withGround } from '../prove/ground.ts';
import { createSmallUpstream, type SmallProduct } from '../support/small-upstream.ts';
import { openDirectBook } from '../trust/direct-book.ts';
import type { Figure } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { startUpstream } from './upstream.ts';

const firstNight = '2026-03-01';
const nights = 30;
/** Of the products, each night. */
const shareOfEach = 0.001;

interface Article {
  readonly title: string;
  readonly brand: string | null;
  readonly gtin: string | null;
  readonly department: string;
  readonly price: number;
}

/** What becomes of a product on a night: its id names another article, or it is the same under other names. */
const events: Readonly<Record<string, (article: Article, other: Article) => Article>> = {
  reused: (_, other) => other,
  renamed: (article, { title }) => ({ ...article, title }),
  rebranded: (article, { brand }) => ({ ...article, brand }),
  recoded: (article, { gtin }) => ({ ...article, gtin }),
  moved: (article, { department }) => ({ ...article, department }),
  'rebranded and recoded': (article, { brand, gtin }) => ({ ...article, brand, gtin }),
  'renamed and recoded': (article, { title, gtin }) => ({ ...article, title, gtin }),
  'renamed and moved': (article, { title, department }) => ({ ...article, title, department }),
};

/** Precision and recall of new articles under ids that were used before, over thirty nights. */
export const articles: Figure = {
  name: 'articles',
  async run({ items, say }) {
    const most = Math.min(items, 30_000);
    // The same words and brands, but other articles.
    const [own, strange] = await Promise.all([articlesOf(most, 1), articlesOf(most, 2)]);
    const shown = [...own.values()];
    const upstream = await createSmallUpstream({ shelves: {}, pageSize: 24 });
    const happened = new Map<string, string>();
    const found = new Set<string>();
    let [took, counted] = [0, new Map<string, number>()];
    try {
      await withGround(async (ground) => {
        const { url, db, drop } = await openDatabases(ground);
        const book = await openDirectBook({ upstream: upstream.url, env: { DATABASE_URL: url } });
        for (let n = 0; n < nights; n += 1) {
          const date = daysAfter(firstNight, n);
          const names = Object.keys(events);
          for (let i = 0; n > 0 && i < shown.length; i += 1) {
            const draw = fraction(hash(n, 1, i));
            const name = names[Math.floor(draw / shareOfEach)];
            if (name === undefined) continue;
            shown[i] = events[name]!(shown[i]!, strange[took++ % strange.length]!);
            happened.set(`${date} ${i + 1}`, name);
            counted.set(name, (counted.get(name) ?? 0) + 1);
          }
          upstream.change({ shelves: shelvesOf(shown) });
          const run = await book.night('uk', date);
          say(`${date}: ${run.verdict}, ${run.productsListed} products`);
        }
        const rows = await rowsOf<{ at: string; id: string }>(
          db,
          `select replaced_at::date::text as at, product_id as id from marts.dim_product where replaced_at is not null`,
        );
        for (const { at, id } of rows) found.add(`${at} ${id}`);
        await book.close();
        await drop();
      });
    } finally {
      await upstream.close();
    }
    const right = [...found].filter((key) => happened.get(key) === 'reused').length;
    const reused = counted.get('reused') ?? 0;
    const wrong = [...found].filter((key) => happened.get(key) !== 'reused').map((key) => happened.get(key) ?? 'none');
    const others = [...counted].map(([name, count]) => `${count} ${name}`).join(', ');
    return [
      {
        what: 'new articles under used ids: precision',
        value: (100 * right) / found.size,
        unit: '%',
        target: { is: 'at least', aim: 99, floor: 95 },
        from: `${right} of ${found.size} found; wrongly: ${wrong.join(', ') || 'none'}`,
      },
      {
        what: 'new articles under used ids: recall',
        value: (100 * right) / reused,
        unit: '%',
        target: null,
        from: `${right} of ${reused}; all events: ${others}`,
      },
    ];
  },
};

async function articlesOf(items: number, seed: number): Promise<Article[]> {
  const upstream = await startUpstream({ items, seed });
  try {
    return (await upstream.truth('uk', firstNight)).map(articleOf);
  } finally {
    await upstream.close();
  }
}

const articleOf = ({ title, brand, gtin, categoryIds, priceMinor }: TrueProduct): Article => ({
  title: title.replaceAll(/\s+/g, ' '),
  brand,
  gtin,
  department: decodeCategoryId(categoryIds[0]!)![0]!,
  price: (priceMinor ?? 100) / 100,
});

function shelvesOf(shown: readonly Article[]): Record<string, SmallProduct[]> {
  const shelves: Record<string, SmallProduct[]> = {};
  for (const [i, { title, brand, gtin, department, price }] of shown.entries()) {
    shelves[department] ??= [];
    shelves[department].push({ id: String(i + 1), title, price, fields: { brand, gtin } });
  }
  return shelves;
}
