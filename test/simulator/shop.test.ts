import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type Simulator, type TrueProduct } from '../../src/simulator/index.ts';
import type { Region } from './asking.ts';

const dayMs = 86_400_000;
const later = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
const pathOf = ({ categoryIds }: TrueProduct) => categoryIds.map(namesOf);
const namesOf = (id: string) => decodeURI(Buffer.from(id.slice(2), 'base64').toString('latin1')).split('|');

describe('the simulated shop', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 4_000 });
  });
  afterAll(() => simulator.close());

  const shop = (date: string, region: Region = 'uk') => [...simulator.truth(region, date)];
  const onShelf = (products: readonly TrueProduct[], name: RegExp) =>
    products.filter((product) => pathOf(product).some((names) => name.test(names.join(' > '))));
  const titles = (products: readonly TrueProduct[]) => products.map(({ title }) => title);

  it('no deal on several products costs as much as they cost without it, or less than half', () => {
    const wrong: string[] = [];
    for (let days = 0; days < 60; days += 1) {
      for (const { title, priceMinor, promotions } of shop(later('2026-10-20', days))) {
        for (const { description, quantity, dealPriceMinor, loyaltyPriceMinor } of promotions) {
          const full = priceMinor ?? Number.NaN;
          const saved = dealPriceMinor === null ? 0.2 : 1 - dealPriceMinor / ((quantity ?? Number.NaN) * full);
          const isWrong = saved < 0.03 || saved > 0.5 || (loyaltyPriceMinor ?? 0) >= full;
          if (isWrong) wrong.push(`${description}: ${title} at ${priceMinor}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 60_000);

  it('5 to 15% of the shop is on offer on an ordinary night, and more before Christmas and Easter', () => {
    const shareOn = (date: string) => {
      const products = shop(date);
      return products.filter(({ onPromotion }) => onPromotion).length / products.length;
    };
    const ordinary = ['2026-01-20', '2026-03-01', '2026-05-10', '2026-07-05', '2026-09-01', '2026-11-05'].map(shareOn);
    for (const share of ordinary) {
      expect(share).toBeGreaterThan(0.05);
      expect(share).toBeLessThan(0.15);
    }
    expect(Math.min(...['2026-03-29', '2026-12-20', '2027-03-21'].map(shareOn))).toBeGreaterThan(Math.max(...ordinary));
    const weeks = [0, 7, 14, 21, 28, 35, 42, 49, 56].map((days) => shareOn(later('2026-10-25', days)));
    for (let week = 1; week < weeks.length; week += 1) expect(weeks[week]! / weeks[week - 1]!).toBeLessThan(1.4);
  });

  it('offers last two or three weeks from a Tuesday or a Wednesday, and most save 10 to 35%', () => {
    const offers = shop('2026-05-10').flatMap(({ priceMinor, promotions }) =>
      promotions.map((promotion) => ({ priceMinor, ...promotion })),
    );
    for (const { startsAt, endsAt } of offers) {
      if (startsAt === null || endsAt === null) continue;
      // Local midnight in summer is the evening before in UTC.
      const [start, end] = [startsAt, endsAt].map((at) => Math.floor((Date.parse(at) + 3_600_000) / dayMs));
      expect([5, 6]).toContain(start! % 7);
      expect([14, 21]).toContain(end! - start!);
    }
    const saved = offers.flatMap(({ priceMinor, loyaltyPriceMinor: paid }) =>
      paid !== null && priceMinor !== null ? [1 - paid / priceMinor] : [],
    );
    const usual = saved.filter((share) => share > 0.07 && share < 0.36).length / saved.length;
    expect(usual).toBeGreaterThan(0.6);
    expect(saved.some((share) => share > 0.48)).toBe(true);
  });

  it('meal deals are for lunch food and dinners only', () => {
    const meals = shop('2026-06-14').filter(({ promotions }) => promotions.some(({ kind }) => kind === 'meal_deal'));
    expect(meals.length).toBeGreaterThan(0);
    const food = /Food to Go|Drinks to Go|Single Bags|Smoothies|Frozen Pizza|Frozen Ready Meals/;
    expect(titles(meals)).toEqual(titles(onShelf(meals, food)));
  });

  it('3 to 7% of the products not on offer change their price in a week, to a round one', () => {
    for (const date of ['2026-01-06', '2026-03-10', '2026-05-12', '2026-08-11', '2026-10-06']) {
      const before = new Map(shop(date).map((product) => [product.productId, product]));
      const pairs = shop(later(date, 7)).flatMap((now) => {
        const then = before.get(now.productId);
        const isRegular = then && !then.onPromotion && !now.onPromotion;
        return isRegular && then.priceMinor && now.priceMinor ? [[then.priceMinor, now.priceMinor] as const] : [];
      });
      const share = pairs.filter(([then, now]) => then !== now).length / pairs.length;
      expect(share).toBeGreaterThan(0.03);
      expect(share).toBeLessThan(0.07);
    }
    const packed = shop('2026-05-12').filter(({ title, priceMinor }) => priceMinor! >= 100 && !title.endsWith('Loose'));
    expect(packed.filter(({ priceMinor }) => ![0, 4, 5, 9].includes(priceMinor! % 10)).length).toBeLessThan(4);
  });

  it('strawberries are cheap in June, and boxed chocolates before Christmas', () => {
    const perUnit = (goods: RegExp, date: string) => {
      const found = shop(date).filter(({ title, priceMinor }) => goods.test(title) && priceMinor);
      return found.reduce((sum, { priceMinor, pack }) => sum + priceMinor! / pack.amount, 0) / found.length;
    };
    expect(perUnit(/Strawberries/, '2026-06-20')).toBeLessThan(0.8 * perUnit(/Strawberries/, '2026-12-20'));
    expect(perUnit(/Boxed Choc/, '2026-12-18')).toBeLessThan(0.9 * perUnit(/Boxed Choc/, '2026-06-20'));
  });

  it('packs shrink rarely, to sizes that shops use', () => {
    const known = new Map<string, TrueProduct>();
    const shrunk: TrueProduct[] = [];
    for (let weeks = 0; weeks < 52; weeks += 2) {
      for (const product of shop(later('2026-01-01', 7 * weeks))) {
        const before = known.get(product.productId);
        if (before && before.pack.amount > product.pack.amount) shrunk.push(product);
        known.set(product.productId, product);
      }
    }
    expect(shrunk.length).toBeGreaterThan(10);
    expect(shrunk.length).toBeLessThan(120);
    const sizes = shrunk.filter(({ pack }) => pack.unit !== 'each').map(({ pack }) => pack.amount / pack.count);
    expect(sizes.filter((size) => size > 50 && size % 5 !== 0)).toEqual([]);
    expect(titles(shrunk).filter((title) => /Eggs|Malbec|Whole Milk/.test(title))).toEqual([]);
  }, 60_000);

  it('secondary shelves list what their names say', () => {
    const shelves: [date: string, shelf: RegExp, goods: RegExp][] = [
      ['2026-11-20', /Popcorn, Crisps & Dips/, /Crisps|Popcorn|Tortilla|Hummus|Salsa|Guacamole/],
      ['2026-11-20', /Gluten Free Rolls/, /Gluten Free Rolls/],
      ['2026-11-20', /Cocoa & Malt/, /Chocolate|Malted|Cocoa/],
      ['2026-11-20', /Roast Trimmings/, /Potatoes|Carrots|Parsnips|Swede|Turnips|Gravy|Stuffing|Peas/],
      ['2026-06-20', /Burgers & Bangers/, /Sausages|Chipolatas|Steak|Chicken|Burgers/],
    ];
    for (const [date, shelf, goods] of shelves) {
      const listed = titles(onShelf(shop(date), shelf));
      expect(listed.length, String(shelf)).toBeGreaterThan(0);
      expect(listed.filter((title) => !goods.test(title))).toEqual([]);
    }
    const offered = onShelf(shop('2026-11-20'), /Price Cuts/);
    expect(offered.length).toBeGreaterThan(20);
    expect(titles(offered.filter(({ onPromotion }) => !onPromotion))).toEqual([]);
  });

  it('shelves sell what they are called, in plausible packs at plausible prices', () => {
    const products = shop('2026-05-10');
    const eggs = products.filter(({ title }) => /Eggs/.test(title));
    expect(new Set(eggs.map(({ pack }) => pack.count))).toEqual(new Set([6, 10, 12, 15]));
    const plants = products.filter(({ title }) => /Plant Kitchen|Plant-Based|Oat Drink/.test(title));
    expect(plants.length).toBeGreaterThan(10);
    expect(titles(plants).filter((title) => /Beef|Chicken|Pork|Lamb|Salmon|Fish|Prawn/.test(title))).toEqual([]);
    expect(titles(onShelf(products, /> Oranges$/)).filter((title) => !/Orange/.test(title))).toEqual([]);
    const salad = titles(onShelf(products, /Cucumber, Celery & Radish$/));
    expect(salad.filter((title) => !/ (Cucumber|Celery|Radishes)/.test(title))).toEqual([]);
    const bounds: [shelf: RegExp, least: number, most: number][] = [
      [/> Eating Apples$/, 20, 400],
      [/> Eggs >/, 90, 650],
      [/Wine > /, 150, 3500],
      [/> Nappies >/, 200, 1800],
      [/Clothing/, 200, 2000],
      [/> Paperbacks$/, 300, 1100],
      [/> Kettles$/, 1200, 5000],
      [/> Sandwiches$/, 140, 450],
      [/> Still Water$/, 20, 400],
    ];
    for (const [shelf, least, most] of bounds) {
      const prices = onShelf(products, shelf).flatMap(({ priceMinor }) => priceMinor ?? []);
      expect(prices.length, String(shelf)).toBeGreaterThan(0);
      expect([Math.min(...prices) >= least, Math.max(...prices) <= most], `${shelf}: ${prices}`).toEqual([true, true]);
    }
  });

  it('without an offer, prices move by at most 18% and rest for a week, and shelves do not move together', () => {
    const last = new Map<string, TrueProduct & { readonly moved: number }>();
    const [wrong, moves] = [[] as string[], new Map<string, Set<string | null>>()];
    for (let night = 0; night < 60; night += 1) {
      for (const product of shop(later('2026-10-01', night))) {
        const { productId, priceMinor, promotions, pack, title, brand } = product;
        const before = last.get(productId);
        if (priceMinor === null) continue;
        const isMove = before && before.priceMinor !== priceMinor && before.pack.amount === pack.amount;
        const isCut = [before, product].some((one) => one?.promotions.some(({ kind }) => kind === 'price_cut'));
        last.set(productId, { ...product, moved: isMove ? night : (before?.moved ?? -9) });
        if (!isMove) continue;
        const own = pathOf(product).find(([root = '', , , shelf]) => shelf && !/Offers|Winter/.test(root));
        const shelf = `${night} ${own}`;
        moves.set(shelf, (moves.get(shelf) ?? new Set()).add(brand));
        if (isCut) continue;
        const step = Math.abs(priceMinor / before.priceMinor! - 1);
        if ((step > 0.18 && priceMinor > 20) || (promotions.length === 0 && night - before.moved < 7))
          wrong.push(`${title} ${before.priceMinor} ${priceMinor} ${night} ${before.moved}`);
      }
    }
    expect(wrong.length).toBeLessThan(9);
    expect([...moves].filter(([, brands]) => brands.size > 4)).toEqual([]);
  }, 60_000);

  it('each brand writes sizes in one way, most of them plainly, and titles without a size name single goods', () => {
    for (const products of [shop('2026-11-30'), shop('2026-11-30', 'ie')]) {
      expect(new Set(titles(products)).size / products.length).toBeGreaterThan(0.97);
      const units = products.flatMap(({ brand, title }) =>
        [...title.matchAll(/\d( ?(g|kg|ml|L|litre|pack))\b/gi)].map(([, unit = '']) => ({ brand, unit })),
      );
      const pairs = new Set(units.map(({ brand, unit }) => `${brand}: ${unit}`));
      const measures = new Set(units.map(({ brand, unit }) => `${brand}: ${unit.trim()[0]!.toLowerCase()}`));
      expect(pairs.size).toBe(measures.size);
      const odd = units.filter(({ unit }) => !['g', 'kg', 'ml', 'L', ' Pack'].includes(unit));
      expect(odd.length).toBeGreaterThan(20);
      expect(odd.length / units.length).toBeLessThan(0.15);
      const unsized = products.filter(({ title, pack }) => pack.unit !== 'each' && !/\d/.test(title));
      expect(titles(unsized).filter((title) => !/Loose$|Joint$|Whole Chicken$/.test(title))).toEqual([]);
    }
  });

  it('the rules of trade hold for own labels, single cans, spirits, medicines, deals on several and milk', () => {
    const uk = shop('2026-11-30');
    const nameOf = ({ title, brand }: TrueProduct) => title.replace(/ +/g, ' ').slice((brand ?? '').length);
    const own = new Map(uk.map((product) => [`${product.brand}${nameOf(product)}`, product.priceMinor ?? 0]));
    const isCheap = (product: TrueProduct) => product.priceMinor! < own.get(`Meridian${nameOf(product)}`)!;
    expect(titles(uk.filter((product) => product.priceMinor !== null && isCheap(product)))).toEqual([]);
    const least = ({ priceMinor, loyaltyPriceMinor }: TrueProduct) => loyaltyPriceMinor ?? priceMinor ?? 1e6;
    const cheapest = (goods: RegExp) => Math.min(...uk.filter(({ title }) => goods.test(title)).map(least));
    expect(cheapest(/^(?!Meridian).*Cola 330ml/i)).toBeGreaterThanOrEqual(40);
    expect(cheapest(/Gin 70cl/)).toBeGreaterThanOrEqual(1400);
    const capsules = uk.filter(({ title }) => /Cold & Flu/.test(title)).map(({ pack }) => pack.count);
    expect(Math.max(...capsules)).toBe(16);
    const multibuys = (products: readonly TrueProduct[], shelf: RegExp) =>
      onShelf(products, shelf).flatMap(({ promotions }) => promotions.filter(({ quantity }) => quantity !== null));
    expect(multibuys(uk, /Crisps, Snacks|Sweets, Mints|Chocolate >|> Cola$|> Lemonade$|Capsules/)).toEqual([]);
    const milk = ['1.136', '2.272', '3.408'].map((size) => uk.find(({ title }) => title.includes(`Milk ${size}`))!);
    const perLitre = milk.map(({ priceMinor, pack }) => priceMinor! / pack.amount);
    expect(perLitre).toEqual(perLitre.toSorted((one, other) => other - one));
  });

  it('Irish alcohol never costs less than the law allows, for members neither, and has no deals on several', () => {
    // Cents for a millilitre of the pack: 10 for a gram of alcohol.
    const least = (title: string) =>
      0.0789 *
      (title.includes('Gin ') ? 37.5 : /Malbec|Merlot|Rioja|Sauvignon|Chard|Grigio|Rosé/.test(title) ? 13 : 4.3);
    for (const date of ['2026-01-20', '2026-04-14', '2026-07-21', '2026-11-30', '2026-12-20', '2027-05-04']) {
      for (const { title, pack, ...sold } of onShelf(shop(date, 'ie'), /Wine > (Red|White|Rosé)|Beer & Ci|Spirits >/)) {
        if (/Alcohol Free|0\.5%/.test(title) || sold.priceMinor === null) continue;
        const paid = Math.min(sold.priceMinor, sold.loyaltyPriceMinor ?? sold.priceMinor);
        expect(paid, title).toBeGreaterThan(pack.amount * least(title));
        expect(sold.promotions.map(({ kind }) => kind).filter((kind) => kind !== 'loyalty_price')).toEqual([]);
      }
    }
  });

  it('the title of a pack says its size, by which its unit price divides the price', () => {
    for (const products of [shop('2026-11-30'), shop('2026-11-30', 'ie')]) {
      const packs = products.filter(({ unitOfMeasureServed: unit, priceMinor }) => unit === 'each' && priceMinor);
      const wrong = packs.filter(({ title, pack, priceMinor, unitPriceServed }) => {
        const isSaid = pack.count === 1 || new RegExp(`\\b(X|)${pack.count}( Pack| per pack|s|)$`).test(title);
        return !isSaid || Math.abs(Number(unitPriceServed) * 100 - priceMinor! / pack.count) > 0.51;
      });
      expect(titles(wrong)).toEqual([]);
    }
  });

  it('products are cleared before they leave for good', () => {
    const [early, late, gone] = [0, 20, 25].map((days) => shop(later('2026-05-01', days)));
    const left = new Set(gone!.map(({ goods }) => goods));
    const earlier = new Map(early!.map(({ goods, priceMinor }) => [goods, priceMinor]));
    const leaving = late!.filter(({ goods }) => !left.has(goods));
    const cleared = leaving.filter(({ goods, priceMinor }) => priceMinor! < (earlier.get(goods) ?? 0) * 0.9);
    expect(cleared.length).toBeGreaterThan(0);
  });

  it('what is grown at home is British in one region and Irish in the other, and not the same', () => {
    const [uk, ie] = [shop('2026-05-10'), shop('2026-05-10', 'ie')];
    expect(titles(ie).filter((title) => /British|Scottish/.test(title))).toEqual([]);
    const british = new Set(uk.map(({ goods }) => goods));
    const irish = ie.filter(({ title }) => title.includes(' Irish '));
    expect(irish.length).toBeGreaterThan(20);
    expect(titles(irish.filter(({ goods }) => british.has(goods)))).toEqual([]);
  });

  it('prices in Ireland are 20 to 28% higher in euros than in pounds, so 5 to 11% in real money', () => {
    const uk = new Map(shop('2026-05-10').map(({ goods, priceMinor }) => [goods, priceMinor]));
    const ratios = shop('2026-05-10', 'ie').flatMap(({ goods, priceMinor }) => {
      const british = uk.get(goods);
      return british && priceMinor ? [Math.log(priceMinor / british)] : [];
    });
    const level = Math.exp(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length);
    expect(level).toBeGreaterThan(1.2);
    expect(level).toBeLessThan(1.28);
  });
});
