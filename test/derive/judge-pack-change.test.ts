import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsUnitPrice } from '../../src/followers/derive/fits-unit-price.ts';
import { judgePackChange, type PackOnShow } from '../../src/followers/derive/judge-pack-change.ts';
import { judgeRelaunch, likenessOf, relaunchDays, type Succession } from '../../src/followers/derive/judge-relaunch.ts';

const beans = (title: string, change: Partial<PackOnShow> = {}): PackOnShow => ({
  title,
  gtin: '05060000000017',
  listed: null,
  priceMinor: 200,
  unitPrice: 4,
  unitOfMeasure: 'kg',
  ...change,
});
const grams = (size: string) => ({ size, measure: 'g', count: null }) as const;
const [whole, less] = [beans('Beans 500g'), beans('Beans 450g', { unitPrice: 4.44 })];

describe('a product holds another amount', () => {
  it('when title and unit price say so', () => {
    expect(judgePackChange(whole, less)).toEqual({
      ...{
        measure: 'g',
        oldSize: '500',
        newSize: '450',
        route: 'in_place',
        evidence: ['title', 'unit price'],
        score: 0.95,
      },
    });
  });

  it('when title and details say so, or details and unit price, or all of them', () => {
    const priceless = { priceMinor: null, unitPrice: null };
    const said = judgePackChange(
      { ...whole, ...priceless, listed: grams('500') },
      { ...less, ...priceless, listed: grams('450') },
    );
    expect(said?.evidence).toEqual(['title', 'details']);
    const silent = judgePackChange(
      { ...whole, title: 'Beans', listed: grams('500') },
      { ...less, title: 'Beans', listed: grams('450') },
    );
    expect(silent).toMatchObject({ oldSize: '500', newSize: '450', evidence: ['details', 'unit price'] });
    const all = judgePackChange({ ...whole, listed: grams('500') }, { ...less, listed: grams('450') });
    expect(all).toMatchObject({ evidence: ['title', 'details', 'unit price'], score: 1 });
  });

  it('when the title says so and the barcode is a new one, unless the unit price denies it', () => {
    const renewed = { gtin: '05060000000024', priceMinor: null, unitPrice: null };
    expect(judgePackChange(whole, { ...less, ...renewed })).toMatchObject({ route: 'new_gtin', score: 0.9 });
    expect(judgePackChange(whole, { ...less, gtin: '05060000000024' })).toMatchObject({ route: 'new_gtin', score: 1 });
    expect(judgePackChange(whole, { ...whole, title: 'Beans 450g', gtin: '05060000000024' })).toBeNull();
  });

  it.each([
    ['the title alone says so', whole, beans('Beans 450g', { priceMinor: null })],
    ['the unit price still is that of the old content', whole, beans('Beans 450g')],
    ['the unit price alone moves', whole, beans('Beans 500g', { unitPrice: 4.44 })],
    ['the title is worded otherwise', whole, beans('New Beans 0.5 kg')],
    ['the price moves and the unit price with it', whole, beans('Beans 500g', { priceMinor: 220, unitPrice: 4.4 })],
    ['the pieces become known', whole, beans('Beans 5x100g')],
    ['the measure is another', whole, beans('Beans 450ml', { unitOfMeasure: 'litre', unitPrice: 4.44 })],
    ['details list one piece of the same multipack', beans('Ale 4x330ml', { listed: null }), beans('Ale 4x330ml')],
    [
      'unit prices are too coarse to tell',
      beans('Tea 80s', { unitOfMeasure: 'each', unitPrice: 0.03 }),
      beans('Tea 76s', { unitOfMeasure: 'each', unitPrice: 0.03 }),
    ],
  ])('but not when %s', (_why, before, after) => {
    expect(judgePackChange(before, after)).toBeNull();
  });

  it('for any price and any two sizes that a unit price can tell apart, and never for one size', () => {
    const size = fc.integer({ min: 100, max: 2000 });
    fc.assert(
      fc.property(size, size, fc.integer({ min: 200, max: 2000 }), (from, to, price) => {
        // A unit price that is the price itself is that of weighed goods, also where rounding made it so.
        for (const held of [from, to]) fc.pre(held === 1_000 || Math.round((price * 1_000) / held) !== price);
        const shown = (held: number) =>
          beans(`Beans ${held}g`, { priceMinor: price, unitPrice: Math.round((price * 1000) / held) / 100 });
        const change = judgePackChange(shown(from), shown(to));
        if (from === to) expect(change).toBeNull();
        if (Math.abs(to / from - 1) > 0.1) expect(change).toMatchObject({ oldSize: String(from), newSize: String(to) });
        expect(judgePackChange(shown(from), { ...shown(from), title: `Beans ${to}g` })?.newSize ?? null).toBe(null);
      }),
    );
  });
});

describe('a unit price', () => {
  const pack = { priceMinor: 100, unitPrice: 2, unitOfMeasure: 'kg', size: 500, measure: 'g', count: null } as const;

  it.each([
    [{}, true],
    [{ unitPrice: 2.05 }, false],
    [{ unitPrice: 1.99 }, true],
    // 35p for 100 g of 290 g.
    [{ unitPrice: 3.4, size: 290 }, true],
    [{ unitOfMeasure: 'litre' }, null],
    [{ unitOfMeasure: 'kg DR.WT', size: 500 }, true],
    [{ unitOfMeasure: 'each', count: 4, unitPrice: 0.25 }, true],
    [{ unitOfMeasure: 'each', unitPrice: 0.25 }, null],
    [{ unitPrice: 1 }, null],
    [{ unitPrice: 1, size: 1000 }, true],
    [{ priceMinor: null }, null],
    [{ priceMinor: 0 }, null],
    [{ unitPrice: null }, null],
  ])('with %j fits: %j', (change, expected) => {
    expect(fitsUnitPrice({ ...pack, ...change })).toBe(expected);
  });
});

describe('a product takes the place of another', () => {
  const succession: Succession = {
    formerTitle: 'Northfold Classic Beans 500g',
    title: 'Northfold Classic Beans 450g',
    formerGtin: '05060000000017',
    gtin: '05060000000024',
    isSameTpnb: false,
    days: 0,
  };

  it('when the name is the same without its size, the surer the sooner', () => {
    expect(judgeRelaunch(succession)).toEqual({
      ...{ measure: 'g', oldSize: '500', newSize: '450', evidence: ['title', 'gtin'], score: 1 },
    });
    expect(judgeRelaunch({ ...succession, days: relaunchDays })?.score).toBe(0.8);
    expect(judgeRelaunch({ ...succession, title: 'Northfold New Classic Beans 450g' })?.score).toBe(0.86);
    expect(judgeRelaunch({ ...succession, days: relaunchDays, isSameTpnb: true })?.score).toBe(1);
  });

  it.each([
    ['the name is another', { title: 'Northfold Smoky Peas 450g' }],
    ['the size is the same', { title: 'Northfold Classic Beans 0.5kg' }],
    ['the barcode is the same', { gtin: '05060000000017' }],
    ['it holds half as much: another pack on the same shelf', { title: 'Northfold Classic Beans 250g' }],
    ['it names no size', { title: 'Northfold Classic Beans' }],
    ['it is measured otherwise', { title: 'Northfold Classic Beans 450ml' }],
  ])('but not when %s', (_why, change) => {
    expect(judgeRelaunch({ ...succession, ...change })).toBeNull();
  });

  it('is as like the one as the one is like the other, and most like itself', () => {
    const name = fc
      .array(fc.constantFrom('beans', 'classic', 'new', 'smoky'), { minLength: 1 })
      .map((all) => all.join(' '));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(likenessOf(one, other)).toBe(likenessOf(other, one));
        expect(likenessOf(one, one)).toBe(1);
        expect(likenessOf(one, other)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
