import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PromotionMeaning } from '../../src/base/model/index.ts';
import { readPromotionText } from '../../src/source/normalise/promotion-text.ts';

/** The meaning without its null fields. */
function said(text: string, offerType: string | null = null, currency?: 'GBP' | 'EUR'): Partial<PromotionMeaning> {
  const meaning = Object.entries(readPromotionText(text, offerType, currency));
  return Object.fromEntries(meaning.filter(([, value]) => value !== null));
}

const clubcard = 'CLUBCARD_PRICING';
const loyalty = (loyaltyPriceMinor: number, savePercent?: string) =>
  savePercent === undefined
    ? { kind: 'loyalty_price', loyaltyPriceMinor }
    : { kind: 'loyalty_price', loyaltyPriceMinor, savePercent };
const multibuy = (quantity: number, dealPriceMinor: number) => ({ kind: 'multibuy', quantity, dealPriceMinor });
const perMeasure = (loyaltyUnitPrice: string, loyaltyUnitMeasure: string) => ({
  kind: 'loyalty_unit_price',
  loyaltyUnitPrice,
  loyaltyUnitMeasure,
});
const nForM = (quantity: number, payQuantity: number) => ({ kind: 'n_for_m', quantity, payQuantity });
const unknown = { kind: 'unknown' };

describe('readPromotionText', () => {
  it.each([
    ['£4.20 Clubcard Price', loyalty(420)],
    ['64p Clubcard Price', loyalty(64)],
    ['€4.30 Clubcard Price', loyalty(430)],
    ['€4,30 Clubcard Price', loyalty(430)],
    ['4,30 € Clubcard Price', loyalty(430)],
    ['64c Clubcard Price', loyalty(64)],
    ['£1,349.00 Clubcard Price', loyalty(134_900)],
    ['Clubcard Price €4.30', loyalty(430)],
    ['Clubcard Price: £4.30', loyalty(430)],
    ['Only £4.30 Clubcard Price', loyalty(430)],
    ['£4.30 with your Tesco Clubcard', loyalty(430)],
    ['£4.30 Clubcard Price each', loyalty(430)],
    ['£4.30 per pack Clubcard Price', loyalty(430)],
    ['€4.30 Clubcard Price - Selected Invented Range', loyalty(430)],
    ['Half Price Clubcard Price - £2.10', loyalty(210, '50')],
    ['£4.30 Clubcard Price 500g', loyalty(430)],
    ['  £4.30\u00a0\u00a0CLUBCARD   price ', loyalty(430)],
    ['£4.30 Clubcard Price £5.10 Regular Price', loyalty(430)],
    ['Clubcard Price £4.30 Regular Price £5.10', loyalty(430)],
    ['£4.30 Clubcard Price, £5.10 without Clubcard', loyalty(430)],
    ['Was £6.20 Now £4.30 Clubcard Price', { ...loyalty(430), wasPriceMinor: 620 }],
    ['£4.30 Clubcard Price (£8.60/kg)', loyalty(430)],
    ['£4.30 Save £1 Clubcard Price', { ...loyalty(430), savingMinor: 100 }],
    ['£4.30 Clubcard Price - Save £1', { ...loyalty(430), savingMinor: 100 }],
    ['£4.30 Clubcard Price - was £5.10', { ...loyalty(430), wasPriceMinor: 510 }],
    ['£4.30 Clubcard Price 12p per wash', loyalty(430)],
    ['£4.30 Clubcard Price (12p/sheet)', loyalty(430)],
    ['£4.30 Clubcard Price*', loyalty(430)],
    ['**£4.30 Clubcard Price - Invented Finest*', loyalty(430)],
    ['£4.30Clubcard Price', loyalty(430)],
    ['64pClubcardPrice', loyalty(64)],
    ['£4.30 Club-card Price', loyalty(430)],
    ['£4.30 CC Price', loyalty(430)],
    ['￡4.30 Clubcard Price', loyalty(430)],
    ['&pound;4.30 Clubcard&nbsp;Price', loyalty(430)],
    ['&#8364;4.30 Clubcard Price', loyalty(430)],
    ['&#xA3;4.30 Clubcard Price - Salt &amp; Invented', loyalty(430)],
    ['£4.30 Clubcard Price - Invented Lasagne Serves 4', loyalty(430)],
    ['€4.30 Clubcard Price + €0.15 deposit', { ...loyalty(430), depositMinor: 15 }],
    ['€4.30 Clubcard Price (plus 15c deposit)', { ...loyalty(430), depositMinor: 15 }],
    ['€4.30 Clubcard Price + 15c DRS', { ...loyalty(430), depositMinor: 15 }],
    ['€4.30 Clubcard Price incl. €0.15 Re-turn deposit', { ...loyalty(430), depositMinor: 15 }],
    ['€4.30 Clubcard Price + €1.20 deposit (8 x €0.15)', { ...loyalty(430), depositMinor: 120 }],
    ['€4.30 Clubcard Price + 4 x 15c deposit', { ...loyalty(430), depositMinor: 60 }],
    ['£4.30 Clubcard Price. Minimum unit price applies in Scotland and Wales', loyalty(430)],
    ['£4.30 Clubcard Price. Excludes Scotland & Wales.', loyalty(430)],
    ['£4.30 Clubcard Price (33.3p/100g)', loyalty(430)],
    ['£4.30 Clubcard Price or 2 for £8', { ...loyalty(430), quantity: 2, dealPriceMinor: 800 }],
    ['€4.30 Clubcard Price excl. deposit', loyalty(430)],
    ['€4.30 Clubcard Price (Deposit €0.60 not included)', { ...loyalty(430), depositMinor: 60 }],
    ['Clubcard Price £4.30**', loyalty(430)],
    ['Clubcard Price £4.30†', loyalty(430)],
    ['£4.30 Clubcard Price. T&Cs apply', loyalty(430)],
    ['£4.30 Clubcard Price (max 6)', loyalty(430)],
    ['£4.30 Clubcard Price. Maximum 10 per customer', loyalty(430)],
    ['£4.30 Clubcard Price (£4.30/each)', loyalty(430)],
    ['£4.30 Clubcard Price (2.5p/sheet)', loyalty(430)],
    ['£4.30 Clubcard Price (50.0p/100g)', loyalty(430)],
    ['£4.30 Clubcard Price (£0.17/100sht)', loyalty(430)],
    ['£4.30 Better than Half PriceClubcard Price', loyalty(430)],
    ['£4.30 Save 1⁄3 Clubcard Price', loyalty(430, '33.33')],
    ['£4.30 Club\u00adcard Price − Save 25％', loyalty(430, '25')],
  ])('finds the loyalty price in %j', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
  });

  it.each([
    ['£4.20 Save 25% Clubcard Price', loyalty(420, '25')],
    ['£4.20 Save 1/3 Clubcard Price', loyalty(420, '33.33')],
    ['£4.20 Half Price Clubcard Price', loyalty(420, '50')],
    ['£4.20 1/2 Price Clubcard Price', loyalty(420, '50')],
    ['64p Better than Half Price Clubcard Price', loyalty(64)],
    ['£4.20 Save up to 50% Clubcard Price', loyalty(420)],
  ])('keeps the claimed saving of %j only if it is exact', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
  });

  it('keeps no saving that the text gives only as a minimum or maximum', () => {
    const savings = fc.constantFrom('save £2', '£2 off', 'save 20%', '20% off', 'save 1/3', 'half price', '1/2 price');
    const bounds = fc.constantFrom(
      ...['up to', 'at least', 'over', 'more than', 'nearly', 'almost', 'around', 'from', 'minimum', 'less than'],
    );
    const tails = fc.constantFrom('or more', 'or less', 'or better', 'and less');
    const bounded = fc.oneof(
      fc.tuple(bounds, savings).map(([bound, saving]) => `${bound} ${saving}`),
      fc.tuple(savings, tails).map(([saving, tail]) => `${saving} ${tail}`),
      fc.constantFrom('10% to 50% off', '10-50% off', 'save 10% - 50%', 'save 20% + extra 10%', 'save over £1'),
    );
    const prices = fc.constantFrom('', '£4.30 Clubcard Price ', 'Was £9 Now £8 ');
    fc.assert(
      fc.property(prices, bounded, (price, saving) => {
        const { savePercent, savingMinor, nowPriceMinor } = readPromotionText(price + saving, null);
        expect([savePercent, savingMinor], price + saving).toEqual([null, null]);
        expect([null, 800], price + saving).toContain(nowPriceMinor);
      }),
    );
  });

  it.each([
    'Approx £5.50',
    'Around £5',
    'Average price £5',
    '£11/kg approx £5.50 each',
    '£1.10 per kg (about 20p each)',
  ])('does not read an estimate as the loyalty price: %j', (estimate) => {
    expect(said(`${estimate} Clubcard Price`).loyaltyPriceMinor).toBeUndefined();
  });

  it.each([
    'Money back guarantee £2',
    'Refund of £2',
    'Win £500',
    'Prize worth £500',
    'Gift wrap £2',
    'Engraving £5',
    'Recycling charge 20p',
    '-£2',
    '-£2 Clubcard Price',
    '£2.50 Clubcard Price - Meal Deal Item',
    '£2.50 Clubcard Price - part of a meal deal',
    'Main & 2 sides for £8',
    'Main with 2 sides for £8 Clubcard Price',
  ])('does not read an ambiguous amount as a price: %j', (text) => {
    expect(said(text)).toEqual(unknown);
    expect(said(text, clubcard)).toEqual(unknown);
  });

  it.each([
    ['Dine In Meal Deal £12', 1200],
    ['£12 Dine In Meal Deal - main, 2 sides & dessert', 1200],
    ['Available in our £3.60 meal deal', 360],
    ['Meal Deal range any main, snack & drink £3.60', 360],
  ])('reads the price of a meal deal in any wording: %j', (text, dealPriceMinor) => {
    expect(said(text)).toMatchObject({ kind: 'meal_deal', dealPriceMinor });
  });

  it.each([
    ['£2', 200],
    ['Now: £2', 200],
    ['Introductory Price £2', 200],
    ['Special purchase £2', 200],
    ['Real Deals £3.49', 349],
    ['Chicken wrap £2', 200],
    ['Win-win now £2', 200],
    ['Prices That Take You Back £1', 100],
    ['Big Night In £3', 300],
    ['Rollback was £3, £2', 200],
  ])('reads an ordinary price alone or after a slogan: %j', (text, nowPriceMinor) => {
    expect(said(text)).toMatchObject({ kind: 'price_cut', nowPriceMinor });
  });

  it.each(['CC £2', '£2 CC', 'CCP £2', 'Loyalty Price £2'])(
    'does not read a possible loyalty price as the price for everybody: %j',
    (text) => {
      expect(said(text)).toEqual(unknown);
    },
  );

  it.each([
    '£1.20 Clubcard Price Second Item',
    '2nd item £1.20 Clubcard Price',
    'Second Half Price Clubcard Price',
    'Second one half price',
    'Next pack £1 Clubcard Price',
    '£1 each additional pack Clubcard Price',
    'First item £2, third item £1 Clubcard Price',
  ])('does not read the price of a further item as the price of one: %j', (text) => {
    expect(said(text, clubcard)).toEqual(unknown);
  });

  it.each([
    'Offer valid for delivery from 11/08/2026 until 07/09/2026',
    'valid until 07/09',
    'until 7th September',
    'until Mon 7 Sep 2026',
    'ends 7/9',
    '(11/08/2026 - 07/09/2026)',
    'from 2026-08-11 to 2026-09-07',
    'valid 24 Nov - 7 Dec',
    '(offer valid from 3rd to 24th March)',
    '24/11 - 07/12',
    'Thu 27 November to Wed 3 December',
  ])('gives the same result with the dates appended: %j', (dates) => {
    for (const text of [
      '£4.30 Clubcard Price',
      'Any 2 for £5',
      '3 for 2',
      'Was £3 Now £2',
      'Half Price',
      'Save 1/3',
      'Save £1',
    ])
      expect(said(`${text} ${dates}`)).toEqual(said(text));
  });

  it('does not read a fraction or a number before a verb as a date', () => {
    expect(said('Save up to 1/3')).toEqual({ kind: 'save_percent' });
    expect(said('1/3 off until 1/3 off ends')).toEqual({ kind: 'save_percent', savePercent: '33.33' });
    expect(said('Any 3 may be mixed for £5')).toEqual({ kind: 'multibuy', quantity: 3 });
  });

  it.each([
    ['£10 Clubcard Price - 2 Pizzas & 1 Side', 'a bundle'],
    ['£10 Clubcard Price - 1 Main, 1 Side and 1 Drink', 'a bundle'],
    ['£10 Clubcard Price - Main + Side', 'a bundle'],
    ['Save £2 per kg Clubcard Price', 'what is taken off a kilogram'],
    ['£2 off per kg Clubcard Price', 'what is taken off a kilogram'],
    ['Nectar Price £2.50', 'the price of another scheme'],
    ['Was £3 Now £2.50 for members', 'the price of another scheme'],
    ['10% off with Student card', 'a saving of another scheme'],
    ['£10 off your first shop', 'what the whole basket is reduced by'],
    ['Save £5 on £25', 'what the whole basket is reduced by'],
    ['Feeds 4 for £10', 'how many one dish feeds'],
  ])('does not read %j as a price or saving of one product, because it is %s', (text) => {
    expect(said(text)).toEqual(unknown);
  });

  it('accepts a plus sign in the name of a range', () => {
    expect(said('£3.00 Clubcard Price - Selected Men + Care Deodorants')).toEqual(said('£3.00 Clubcard Price'));
  });

  it('returns no price of one product if the price is conditional or for several products', () => {
    const prices = fc.constantFrom(
      '£2.50 Clubcard Price',
      'Clubcard Price £2.50',
      'Now £2.50',
      'Was £3 Now £2.50',
      '£2.50',
    );
    const conditions = fc.constantFrom(
      ...['when you buy two', 'with any sandwich', 'when you spend £20', 'for 2', 'for any two', 'for the pair'],
      ...[
        'in multiples of 2',
        'minimum 2',
        'x2',
        'both',
        'all three',
        'bought together',
        'from',
        'up to',
        'with subscription',
      ],
      ...[
        'per person',
        'per month',
        'per dose',
        'to charity',
        'off your next shop',
        'off when you buy 3',
        '+ £1 postage',
      ],
    );
    const places = fc.constantFrom(
      (price: string, condition: string) => `${price} ${condition}`,
      (price: string, condition: string) => `${condition} ${price}`,
      (price: string, condition: string) => `${price} - ${condition}`,
    );
    fc.assert(
      fc.property(
        prices,
        conditions,
        places,
        fc.constantFrom(null, clubcard),
        (price, condition, placed, offerType) => {
          const text = placed(price, condition);
          const { loyaltyPriceMinor, nowPriceMinor } = readPromotionText(text, offerType, 'GBP');
          expect([loyaltyPriceMinor, nowPriceMinor], text).toEqual([null, null]);
        },
      ),
      { numRuns: 1_000 },
    );
    expect(said('£2.50 Clubcard Price - Invented Apples Minimum 5 Pack')).toEqual(loyalty(250));
    expect(said('£2.50 Clubcard Price - Invented Lasagne For 2 400g')).toEqual(loyalty(250));
    expect(said('£2.50 Clubcard Price - max 3 per customer')).toEqual(loyalty(250));
  });

  it.each(['Save £1', '£1 off', '20% off', 'Half Price', 'Save 1/3 Clubcard Price'])(
    'does not read %j as a reduction of one product if other goods are required',
    (saving) => {
      for (const condition of [
        'when you buy pasta',
        'with any sandwich',
        'with code SAVE',
        'on orders over £20',
        'cases of 6',
      ])
        expect(said(`${saving} ${condition}`), condition).toEqual(unknown);
    },
  );

  it('distinguishes reductions per kilogram from reductions per product', () => {
    expect(said('Was £6.00 Now £4.00 per kg')).toEqual({ kind: 'price_cut' });
    expect(said('£4.00 per kg Save £2')).toEqual({ kind: 'price_cut' });
    expect(said('Save £2 per kg')).toEqual({ kind: 'price_cut' });
    expect(said('£2 off per kg')).toEqual({ kind: 'price_cut' });
    expect(said('Save £2 per kg £8 per kg Clubcard Price')).toEqual(perMeasure('8', 'kg'));
  });

  it.each([
    ['£4.20 per kg Clubcard Price', perMeasure('4.2', 'kg')],
    ['8p per wash Clubcard Price', perMeasure('0.08', 'wash')],
    ['£4.20/kg Clubcard Price', perMeasure('4.2', 'kg')],
    ['£4.20 a kilo Clubcard Price', perMeasure('4.2', 'kg')],
    ['€0.42 per 100g Clubcard Price', perMeasure('4.2', 'kg')],
    ['£1.10 per litre Clubcard Price', perMeasure('1.1', 'litre')],
    ['£4.20 Clubcard Price per kg', perMeasure('4.2', 'kg')],
    ['£4.20 kg Clubcard Price', perMeasure('4.2', 'kg')],
    ['£1.99 lb Clubcard Price', perMeasure('1.99', 'lb')],
    ['Save 25% £4.20 per kg Clubcard Price', { ...perMeasure('4.2', 'kg'), savePercent: '25' }],
    ['Better than Half Price £4.20 per kg Clubcard Price', perMeasure('4.2', 'kg')],
  ])('reads the price per weight or volume of %j as such', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
  });

  it.each([
    ['Any 2 for £4.50 Clubcard Price - Selected Invented Cheese 90g - 150g', multibuy(2, 450)],
    ['Any 2 for €5 Clubcard Price', multibuy(2, 500)],
    ['Buy 3 for £10', multibuy(3, 1000)],
    ['2 for £3.50', multibuy(2, 350)],
    ['2FOR£3.50', multibuy(2, 350)],
    ['two for 85p', multibuy(2, 85)],
    ['5 for £5 or 10 for £9 Clubcard Price - Soup 400g', multibuy(5, 500)],
    ['3 items for only €10,00', multibuy(3, 1000)],
    ['Any 2 for £5 each Clubcard Price', { kind: 'multibuy', quantity: 2 }],
    ['Buy 2 save £1', { kind: 'multibuy', quantity: 2 }],
    ['£2 each when you buy 3 Clubcard Price', { kind: 'multibuy', quantity: 3 }],
    ['Any 3 for 2 Clubcard Price - Cheapest Product Free - Selected Things', nForM(3, 2)],
    ['INVENTED 3 FOR 2 C/F', nForM(3, 2)],
    ['3 for 2 Mix & Match', nForM(3, 2)],
    ['3 for the price of 2', nForM(3, 2)],
    ['3 for price of 2', nForM(3, 2)],
    ['3-for-2', nForM(3, 2)],
    ['2-for-£5', multibuy(2, 500)],
    ['Any2 for &pound;5', multibuy(2, 500)],
    ['£5 for 2.', multibuy(2, 500)],
    ['Buy 3, pay for 2', nForM(3, 2)],
    ['Save £1 on 2', { kind: 'multibuy', quantity: 2 }],
    ['Save 25% on 6 or more bottles', { kind: 'save_percent', quantity: 6, savePercent: '25' }],
    ['25% off six bottles or more', { kind: 'save_percent', quantity: 6, savePercent: '25' }],
    ['25% off 6+ bottles', { kind: 'save_percent', quantity: 6, savePercent: '25' }],
    ['20% off 2 - Invented Toys', { kind: 'save_percent', quantity: 2, savePercent: '20' }],
    ['Was 3 for £10, now 3 for £9', multibuy(3, 900)],
    ['Invented Cola 4 x 330ml 2 for £8', multibuy(2, 800)],
    ['Invented 3 in 1 2 for £5', multibuy(2, 500)],
    ['Any 2 for £5 or less', { kind: 'multibuy', quantity: 2 }],
    ['2 for £5 - £6', { kind: 'multibuy', quantity: 2 }],
    ['Buy 2 packs get 1 free', nForM(3, 2)],
    ['Buy Two Get Third Free', nForM(3, 2)],
    ['Buy one get one free', nForM(2, 1)],
    ['Buy one, get one free', nForM(2, 1)],
    ['Buy 2 get 3rd free Clubcard Price', nForM(3, 2)],
    [
      'Buy 6 or more Save 25% Clubcard Price - Save 25% On Wines When You Buy 6 +',
      { kind: 'save_percent', quantity: 6, savePercent: '25' },
    ],
  ])('does not read the deal %j as a price of one product', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
    expect(said(text, clubcard)).toEqual(meaning);
  });

  it.each(['4 Pack for £3', '2 Litre for £2', '750ml for £5', 'Set of 3 for £10', 'Invented Wine 75cl for £5'])(
    'does not read a pack as a number of products: %j',
    (text) => {
      expect(said(text)).toEqual(unknown);
      expect(said(`${text} Clubcard Price`)).toEqual(unknown);
    },
  );

  it.each([
    'Buy 2 get cheapest half price',
    'Buy 2, save 50% on the cheapest',
    'Any 2 cheapest half price',
    'Buy 2, 2nd half price',
    'Buy 2 second half price',
    'Buy 2 save 50% on the second',
  ])('does not read a reduction of one of several as a reduction of all: %j', (text) => {
    expect(said(text)).toEqual({ kind: 'save_percent', quantity: 2 });
  });

  it.each([
    [
      '£5 Meal Deal Clubcard Price £5.50 Meal Deal Regular Price - Drink + Snack',
      { kind: 'meal_deal', dealPriceMinor: 500 },
    ],
    ['Meal Deal £5 Clubcard Price, £5.50 Regular Price', { kind: 'meal_deal', dealPriceMinor: 500 }],
    ['Meal Deal Regular Price £5.50 Clubcard Price £5', { kind: 'meal_deal', dealPriceMinor: 500 }],
    ['NOODLES Meal Deal for £7 Clubcard Price - Buy 1 Noodle, 1 Broth', { kind: 'meal_deal', dealPriceMinor: 700 }],
    ['Meal Deal £5 £6 £7', { kind: 'meal_deal' }],
    ['Meal Deals from £3.60 Clubcard Price', { kind: 'meal_deal' }],
    ['2 Meal Deals for £6', { kind: 'meal_deal' }],
  ])('reads the bundle %j with its loyalty price', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
  });

  it.each([
    ['Half Price', { kind: 'save_percent', savePercent: '50' }],
    ['1/2 Price Clubcard Price', { kind: 'save_percent', savePercent: '50' }],
    ['Save 1/3', { kind: 'save_percent', savePercent: '33.33' }],
    ['Save ½', { kind: 'save_percent', savePercent: '50' }],
    ['Reduced to clear £2', { kind: 'price_cut', nowPriceMinor: 200 }],
    ['20% off', { kind: 'save_percent', savePercent: '20' }],
    ['20 percent off', { kind: 'save_percent', savePercent: '20' }],
    ['Save one third', { kind: 'save_percent', savePercent: '33.33' }],
    ['20% off 2 Litre Invented Cola', { kind: 'save_percent', savePercent: '20' }],
    ['Better than Half Price Clubcard Price', { kind: 'save_percent' }],
    ['Save 50p', { kind: 'price_cut', savingMinor: 50 }],
    ['Was £3 Now £2', { kind: 'price_cut', wasPriceMinor: 300, nowPriceMinor: 200 }],
    ['Was £3, was £2.50, now £2', { kind: 'price_cut', nowPriceMinor: 200 }],
    ['£2 per kg', { kind: 'price_cut' }],
    ['£2.50', { kind: 'price_cut', nowPriceMinor: 250 }],
    ['Half Price £2.50', { kind: 'price_cut', savePercent: '50', nowPriceMinor: 250 }],
  ])('recognises the ordinary promotion %j', (text, meaning) => {
    expect(said(text)).toEqual(meaning);
  });

  it('uses the offer type if the text contains only the price', () => {
    expect(said('£2.50', clubcard)).toEqual(loyalty(250));
    expect(said('Only £2.50', clubcard)).toEqual(loyalty(250));
    expect(said('£2.50 Save 25%', clubcard)).toEqual(loyalty(250, '25'));
    expect(said('£2.50', 'OTHER')).toEqual({ kind: 'price_cut', nowPriceMinor: 250 });
    expect(said('Was £3 Now £2', clubcard)).toEqual(unknown);
    expect(said('£2.50 Price Match', clubcard)).toEqual(unknown);
  });

  it.each([
    '',
    'Clubcard Price',
    'From £2.50 Clubcard Price',
    '£2.50 - £3 Clubcard Price',
    '£2 or £3 Clubcard Price',
    '£5 Clubcard Price when you spend £30',
    '£5 off when you spend £30',
    '150 Clubcard points',
    '2 x £2.50 Clubcard Price',
    '£1.00 off Clubcard Price',
    'Save £1 Clubcard Price',
    'Regular Price £3',
    '£2.50 Regular Price Clubcard Price',
    '£1.299 Clubcard Price',
    '£0.00 Clubcard Price',
    '£3 for 500g Clubcard Price',
    'Buy 1 pizza & 2 sides for £8',
    '2.50 Clubcard Price',
    '449 Ft',
    '449 Ft Clubcard Price',
    '$2.50 Clubcard Price',
    '£2.50 Clubcard Price €3.00',
    '£6.00 Clubcard Price for 2 or more',
    '2 for 10 Clubcard Price',
  ])('returns no meaning for the unknown text %j', (text) => {
    expect(readPromotionText(text, null).loyaltyPriceMinor).toBeNull();
    expect(['unknown', 'price_cut', 'multibuy']).toContain(readPromotionText(text, clubcard).kind);
    expect(readPromotionText(text, clubcard).loyaltyPriceMinor).toBeNull();
  });

  it('does not read an amount in the currency of the other region', () => {
    expect(said('€2.50 Clubcard Price', clubcard, 'GBP')).toEqual(unknown);
    expect(said('85p Clubcard Price', clubcard, 'EUR')).toEqual(unknown);
    expect(said('€2.50 Clubcard Price', clubcard, 'EUR')).toEqual(loyalty(250));
  });

  const amounts = fc.integer({ min: 1, max: 99_999 });
  const pounds = (minor: number) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
  const claims = fc.constantFrom('', ' Save 25%', ' Save 1/3', ' Half Price', ' Better than Half Price');

  it('reads any loyalty price back, in either currency, with any claim and in any case', () => {
    fc.assert(
      fc.property(amounts, claims, fc.constantFrom('£', '€'), fc.boolean(), (minor, claim, symbol, isUpper) => {
        const text = `${symbol}${pounds(minor)}${claim} Clubcard Price`;
        const meaning = readPromotionText(isUpper ? text.toUpperCase() : text, clubcard);
        expect([meaning.kind, meaning.loyaltyPriceMinor]).toEqual(['loyalty_price', minor]);
      }),
    );
  });

  it('never gives a multibuy, a bundle or a price per weight a loyalty price, whatever is sold', () => {
    const goods = fc.constantFrom(
      '',
      ' - Selected Soup 400g',
      ' - Tesco Finest* 2 Or 6 Pack',
      ' - 7up Zero 2 Litre',
      ' - Diet Coke 330ml',
    );
    const deals = fc.constantFrom(
      (price: string, count: number) => `Any ${count} for £${price} Clubcard Price`,
      (price: string, count: number) => `${count} for £${price} or ${count * 2} for £${price} Clubcard Price`,
      (price: string) => `SOUP Meal Deal for £${price} Clubcard Price`,
      (price: string) => `£${price} per kg Clubcard Price`,
      (_: string, count: number) => `Any ${count + 1} for ${count} Clubcard Price - Cheapest Product Free`,
    );
    fc.assert(
      fc.property(amounts, fc.integer({ min: 2, max: 12 }), deals, goods, (minor, count, deal, good) => {
        const meaning = readPromotionText(deal(pounds(minor), count) + good, clubcard);
        expect(meaning.loyaltyPriceMinor).toBeNull();
        expect(meaning.kind).not.toBe('unknown');
      }),
    );
  });

  it('only ever gives a loyalty price that the text names', () => {
    const words = fc.constantFrom(
      'Clubcard Price',
      '£2.50',
      '€3,10',
      '85p',
      'any',
      '2',
      'for',
      'buy',
      'per kg',
      'Save',
      '25%',
      'Was',
      'Now',
      '-',
      '3',
      'Half Price',
      'each',
      'free',
      '/',
      'or',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 9 }), (parts) => {
        const meaning = readPromotionText(parts.join(' '), clubcard);
        const amounts: Record<string, number> = { '£2.50': 250, '€3,10': 310, '85p': 85 };
        const named = parts.flatMap((part) => amounts[part] ?? []);
        if (meaning.loyaltyPriceMinor === null) return;
        expect(named).toContain(meaning.loyaltyPriceMinor);
        if (!parts.includes('-')) expect(parts).not.toContain('free'); // behind the dash it is about the goods
        expect(parts).not.toContain('buy');
      }),
      { numRuns: 3_000 },
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readPromotionText(text, clubcard)));
  });
});

it('finds the price for members beside every unit price in pence or cents with up to two decimals', () => {
  const lost: string[] = [];
  for (let hundredths = 1; hundredths < 10_000; hundredths++) {
    const [one, two] = [(hundredths / 10).toFixed(1), (hundredths / 100).toFixed(2)];
    for (const amount of hundredths < 1_000 ? [one, two] : [two]) {
      for (const [text, currency] of [
        [`£2.50 Clubcard Price (${amount}p/100g)`, 'GBP'],
        [`€2.50 Clubcard Price (${amount}c/100g)`, 'EUR'],
      ] as const)
        if (readPromotionText(text, 'CLUBCARD_PRICING', currency).loyaltyPriceMinor !== 250) lost.push(text);
    }
  }
  expect(lost).toEqual([]);
});
