import { describe, expect, it } from 'vitest';
import type { Simulator, TrueProduct } from '../../src/simulator/index.ts';
import { categoriesOf, type Element, elementsOf, type Region, withSimulator } from './asking.ts';

interface Seen {
  readonly title: string;
  readonly brand: string | null;
  readonly priceMinor: number | null;
  readonly unitPriceMinor: number | null;
  readonly unitOfMeasure: string | null;
  readonly available: boolean;
  readonly promotions: readonly string[];
  readonly categoryIds: readonly string[];
}

/** Everything the pages of every category say, read naively; fails when a listing repeats a product. */
async function crawl(simulator: Simulator, region: Region): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const category of await categoriesOf(simulator, region)) {
    if (region === 'ie' && category.id.length > 200) continue;
    const listed = new Set<string>();
    for (const element of await elementsOf(simulator, region, category.id)) {
      const [id, product] = region === 'uk' ? readUk(element) : readIe(element);
      expect(listed.has(id)).toBe(false);
      listed.add(id);
      const before = seen.get(id);
      if (before) expect({ ...product, categoryIds: before.categoryIds }).toEqual(before);
      seen.set(id, { ...product, categoryIds: [...(before?.categoryIds ?? []), category.id] });
    }
  }
  return seen;
}

function readUk(product: Element): [string, Seen] {
  const { price } = product;
  return [
    product.id,
    {
      title: product.title,
      brand: product.brand,
      priceMinor: minor(price?.price),
      unitPriceMinor: minor(price?.unitPrice),
      unitOfMeasure: price?.unitOfMeasure ?? null,
      available: product.isForSale,
      promotions: product.promotions.map(
        ({ description, startDate, endDate }: Element) => `${description} ${startDate} ${endDate}`,
      ),
      categoryIds: [],
    },
  ];
}

function readIe(element: Element): [string, Seen] {
  const node = element.node ?? element.product ?? element;
  const offer = node.sellers?.results[0] ?? { price: node, promotions: element.promotions };
  return [
    node.id,
    {
      title: node.title,
      brand: node.brandName,
      priceMinor: minor(offer.price?.price),
      unitPriceMinor: minor(offer.price?.unitPrice),
      unitOfMeasure: offer.price?.unitOfMeasure ?? null,
      available: node.isForSale,
      promotions: offer.promotions.map(
        ({ description, startDate, endDate }: Element) => `${description} ${startDate} ${endDate}`,
      ),
      categoryIds: [],
    },
  ];
}

function minor(amount: number | null | undefined): number | null {
  return amount === null || amount === undefined ? null : Math.round(amount * 100);
}

function asSeen(record: TrueProduct, region: Region): [string, Seen] {
  const ids = record.categoryIds.filter((id) => region === 'uk' || id.length <= 200);
  return [
    record.productId,
    {
      title: record.titleServed,
      brand: record.brand,
      priceMinor: record.priceMinor,
      unitPriceMinor: minor(record.unitPriceServed === null ? null : Number(record.unitPriceServed)),
      unitOfMeasure: record.unitOfMeasureServed,
      available: record.available,
      promotions: record.promotions.map(({ description, startsAt, endsAt }) => `${description} ${startsAt} ${endsAt}`),
      categoryIds: ids.sort(),
    },
  ];
}

const sorted = (seen: Map<string, Seen>) =>
  new Map([...seen].map(([id, product]) => [id, { ...product, categoryIds: [...product.categoryIds].sort() }]));

describe('the ground truth', () => {
  it.each(['2026-03-01', '2026-07-15'])('is what the UK pages say on %s', async (date) => {
    await withSimulator({ items: 400, date }, async (simulator) => {
      const expected = new Map([...simulator.truth('uk', date)].map((record) => asSeen(record, 'uk')));
      expect(sorted(await crawl(simulator, 'uk'))).toEqual(expected);
      expect(expected.size).toBeGreaterThan(380);
    });
  });

  it.each(['node', 'bare', 'product', 'wrapped', 'mixed'] as const)(
    'is what the Irish pages say in the %s shape',
    async (ieShape) => {
      // The whole tree in one of them.
      const superDepartments = ieShape === 'mixed' ? 0 : 4;
      await withSimulator({ items: 150, ieShape, seed: 9, superDepartments }, async (simulator) => {
        const expected = new Map([...simulator.truth('ie', '2026-03-01')].map((record) => asSeen(record, 'ie')));
        expect(sorted(await crawl(simulator, 'ie'))).toEqual(expected);
      });
    },
  );

  it('is complete in the superDepartments alone, about a sixth of it twice', async () => {
    await withSimulator({ items: 1200 }, async (simulator) => {
      const records = [...simulator.truth('uk', '2026-03-01')];
      const roots = (await categoriesOf(simulator, 'uk')).filter(({ label }) => label === 'superDepartment');
      const listed = (await Promise.all(roots.map(({ id }) => elementsOf(simulator, 'uk', id)))).flat();
      expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(records.map(({ productId }) => productId)));
      const twice = (listed.length - records.length) / records.length;
      expect(twice).toBeGreaterThan(0.14);
      expect(twice).toBeLessThan(0.2);
    });
  });

  it('normalises unit prices to kilograms and litres', async () => {
    await withSimulator({ items: 2000 }, async (simulator) => {
      const factors: Record<string, number> = { '100g': 10, '10g': 100, '100ml': 10 };
      for (const region of ['uk', 'ie'] as const) {
        for (const record of simulator.truth(region, '2026-03-01')) {
          if (record.unitPrice === null) continue;
          const factor = factors[record.unitOfMeasureServed!] ?? 1;
          expect(Number(record.unitPrice)).toBeCloseTo(Number(record.unitPriceServed) * factor, 9);
          expect(['kg', 'litre', 'each', 'kg DR.WT']).toContain(record.unitOfMeasure);
        }
      }
    });
  });

  it('counts promotions only from their first day to the day before their last midnight', async () => {
    await withSimulator({ items: 4000, earlyPromotions: 0.5 }, async (simulator) => {
      const records = [...simulator.truth('uk', '2026-03-01')];
      const early = records.flatMap(({ promotions }) => promotions).filter(({ inEffect }) => !inEffect);
      expect(early.length).toBeGreaterThan(0);
      for (const { startsAt } of early) expect(startsAt! > '2026-03-01T00:00:00Z').toBe(true);
      for (const { promotions, onPromotion, loyaltyPriceMinor } of records) {
        const inEffect = promotions.filter((promotion) => promotion.inEffect);
        expect(onPromotion).toBe(inEffect.length > 0);
        expect(loyaltyPriceMinor).toBe(
          inEffect.find(({ kind }) => kind === 'loyalty_price')?.loyaltyPriceMinor ?? null,
        );
      }
    });
  });

  it('has every family of promotion texts', async () => {
    await withSimulator({ items: 12_000 }, async (simulator) => {
      for (const region of ['uk', 'ie'] as const) {
        const all = [...simulator.truth(region, '2026-03-01')].flatMap(({ promotions }) => promotions);
        const kinds = [
          'loyalty_price',
          'loyalty_unit_price',
          'multibuy',
          'n_for_m',
          'meal_deal',
          'save_percent',
          'price_cut',
          'unknown',
        ];
        expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(kinds.sort());
        expect(all.some(({ description }) => /^\d+p /.test(description))).toBe(region === 'uk');
        for (const words of [
          'Half Price',
          'Save 1/3',
          'Save 25%',
          'Meal Deal Regular Price',
          'Cheapest Product Free',
          ' or ',
          'per kg',
        ]) {
          expect(all.some(({ description }) => description.includes(words))).toBe(true);
        }
      }
    });
  });
});
