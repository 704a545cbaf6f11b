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
  it.each<[object, string[]]>([
    [loyalty(420), ['£4.20 Clubcard Price', '£4.20 Save up to 50% Clubcard Price']],
    [loyalty(64), ['64p Clubcard Price', '64p Better than Half Price Clubcard Price']],
    [
      loyalty(430),
      [
        ...['€4.30 Clubcard Price', '€4,30 Clubcard Price', '4,30 € Clubcard Price', 'Clubcard Price: £4.30'],
        ...['£4.30 with your Tesco Clubcard', '€4.30 Clubcard Price - Selected Invented Range'],
        ...['£4.30 Clubcard Price 500g', '  £4.30\u00a0\u00a0CLUBCARD   price '],
        ...['Clubcard Price £4.30 Regular Price £5.10', '£4.30 Clubcard Price, £5.10 without Clubcard'],
        ...['£4.30 Clubcard Price (£8.60/kg)', '£4.30 Clubcard Price 12p per wash'],
        ...['**£4.30 Clubcard Price - Invented Finest*', '£4.30Clubcard Price', '£4.30 Club-card Price'],
        ...['￡4.30 Clubcard Price', '&#8364;4.30 Clubcard Price', '£4.30 Clubcard Price - Invented Lasagne Serves 4'],
        ...['£4.30 Clubcard Price. Minimum unit price applies in Scotland and Wales'],
        ...['£4.30 Clubcard Price. Excludes Scotland & Wales.', '€4.30 Clubcard Price excl. deposit'],
        ...['Clubcard Price £4.30†', '£4.30 Clubcard Price. T&Cs apply'],
        ...['£4.30 Clubcard Price. Maximum 10 per customer', '£4.30 Clubcard Price (2.5p/sheet)'],
        ...['£4.30 Clubcard Price (£0.17/100sht)', '£4.30 Better than Half PriceClubcard Price'],
      ],
    ],
    [loyalty(134_900), ['£1,349.00 Clubcard Price']],
    [loyalty(210, '50'), ['Half Price Clubcard Price - £2.10']],
    [{ ...loyalty(430), wasPriceMinor: 620 }, ['Was £6.20 Now £4.30 Clubcard Price']],
    [{ ...loyalty(430), savingMinor: 100 }, ['£4.30 Save £1 Clubcard Price']],
    [
      { ...loyalty(430), depositMinor: 15 },
      [
        ...['€4.30 Clubcard Price + €0.15 deposit', '€4.30 Clubcard Price + 15c DRS'],
        ...['€4.30 Clubcard Price incl. €0.15 Re-turn deposit'],
      ],
    ],
    [{ ...loyalty(430), depositMinor: 120 }, ['€4.30 Clubcard Price + €1.20 deposit (8 x €0.15)']],
    [
      { ...loyalty(430), depositMinor: 60 },
      [...['€4.30 Clubcard Price + 4 x 15c deposit', '€4.30 Clubcard Price (Deposit €0.60 not included)']],
    ],
    [{ ...loyalty(430), quantity: 2, dealPriceMinor: 800 }, ['£4.30 Clubcard Price or 2 for £8']],
    [loyalty(430, '33.33'), ['£4.30 Save 1⁄3 Clubcard Price']],
    [loyalty(430, '25'), ['£4.30 Club\u00adcard Price − Save 25％']],
    [loyalty(420, '25'), ['£4.20 Save 25% Clubcard Price']],
    [loyalty(420, '33.33'), ['£4.20 Save 1/3 Clubcard Price']],
    [loyalty(420, '50'), ['£4.20 Half Price Clubcard Price']],
  ])('finds a loyalty price with the saving that the text states exactly: %j', (meaning, texts) => {
    for (const text of texts) {
      expect(said(text), text).toEqual(meaning);
    }
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

  it.each(['Approx £5.50', 'Average price £5', '£1.10 per kg (about 20p each)'])(
    'does not read an estimate as the loyalty price: %j',
    (estimate) => {
      expect(said(`${estimate} Clubcard Price`).loyaltyPriceMinor).toBeUndefined();
    },
  );

  it.each([
    ...['Money back guarantee £2', 'Win £500', 'Gift wrap £2', 'Recycling charge 20p', '-£2', '-£2 Clubcard Price'],
    ...['£2.50 Clubcard Price - Meal Deal Item', '£2.50 Clubcard Price - part of a meal deal'],
    ...['Main with 2 sides for £8 Clubcard Price'],
  ])('does not read an ambiguous amount as a price: %j', (text) => {
    expect(said(text)).toEqual(unknown);
    expect(said(text, clubcard)).toEqual(unknown);
  });

  it.each([
    ['Dine In Meal Deal £12', 1200],
    ['£12 Dine In Meal Deal - main, 2 sides & dessert', 1200],
    ['Meal Deal range any main, snack & drink £3.60', 360],
  ])('reads the price of a meal deal in any wording: %j', (text, dealPriceMinor) => {
    expect(said(text)).toMatchObject({ kind: 'meal_deal', dealPriceMinor });
  });

  it.each([
    ['£2', 200],
    ['Now: £2', 200],
    ['Introductory Price £2', 200],
    ['Chicken wrap £2', 200],
    ['Win-win now £2', 200],
    ['Prices That Take You Back £1', 100],
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
    ...['£1.20 Clubcard Price Second Item', 'Second Half Price Clubcard Price', 'Next pack £1 Clubcard Price'],
    ...['£1 each additional pack Clubcard Price', 'First item £2, third item £1 Clubcard Price'],
  ])('does not read the price of a further item as the price of one: %j', (text) => {
    expect(said(text, clubcard)).toEqual(unknown);
  });

  it.each([
    ...['Offer valid for delivery from 11/08/2026 until 07/09/2026', 'until 7th September'],
    ...['(11/08/2026 - 07/09/2026)', 'from 2026-08-11 to 2026-09-07', '(offer valid from 3rd to 24th March)'],
    ...['24/11 - 07/12', 'Thu 27 November to Wed 3 December'],
  ])('gives the same result with the dates appended: %j', (dates) => {
    const texts = ['£4.30 Clubcard Price', 'Any 2 for £5', '3 for 2', 'Was £3 Now £2', 'Half Price', 'Save 1/3'];
    for (const text of [...texts, 'Save £1']) expect(said(`${text} ${dates}`)).toEqual(said(text));
  });

  it('does not read a fraction or a number before a verb as a date', () => {
    expect(said('Save up to 1/3')).toEqual({ kind: 'save_percent' });
    expect(said('1/3 off until 1/3 off ends')).toEqual({ kind: 'save_percent', savePercent: '33.33' });
    expect(said('Any 3 may be mixed for £5')).toEqual({ kind: 'multibuy', quantity: 3 });
  });

  it.each([
    ['£10 Clubcard Price - 2 Pizzas & 1 Side', 'a bundle'],
    ['£10 Clubcard Price - 1 Main, 1 Side and 1 Drink', 'a bundle'],
    ['Save £2 per kg Clubcard Price', 'what is taken off a kilogram'],
    ['Nectar Price £2.50', 'the price of another scheme'],
    ['Was £3 Now £2.50 for members', 'the price of another scheme'],
    ['10% off with Student card', 'a saving of another scheme'],
    ['£10 off your first shop', 'what the whole basket is reduced by'],
    ['Feeds 4 for £10', 'how many one dish feeds'],
  ])('does not read %j as a price or saving of one product, because it is %s', (text) => {
    expect(said(text)).toEqual(unknown);
  });

  /** The same text with amounts of Ireland. */
  const irish = (text: string) =>
    text
      .replaceAll('£', '€')
      .replace(/(?<=\d)p\b/g, 'c')
      .replace('pence', 'cent');

  it.each([
    ...['£1 less', 'Less £1', 'Less: £1', 'Minus £1', '£1 cheaper', 'Cheaper by £1', 'Reduced by £1', '£1 reduction'],
    ...['Save: £1', 'Saves you £1', 'Save another £1', '£1 saving', '£1 saved', 'Cut by £1', 'Lower by £1', '£1 lower'],
    ...['£1 price drop', 'Discount of £1', 'Discounted by £1', '£1 taken off', 'Take £1 off', '£1 less than usual'],
    ...['£1 back', '£1 down', '£1 extra off', 'Rebate £1', '100 pence less', 'Reduced by 100p', 'Pay £1 less'],
  ])('reads what %j takes off as a saving, never as a price', (saving) => {
    for (const [text, currency] of [
      [saving, 'GBP'],
      [irish(saving), 'EUR'],
    ] as const) {
      expect(said(text, null, currency), text).toEqual({ kind: 'price_cut', savingMinor: 100 });
      for (const member of [`${text} Clubcard Price`, `Clubcard Price ${text}`, `Clubcard Price: ${text}`, text])
        expect(said(member, clubcard, currency), member).toEqual(unknown);
      expect(said(`${text.replace('100', '50')} Clubcard Price`, clubcard, currency)).toEqual(unknown);
      const priced = `${currency === 'EUR' ? '€' : '£'}2.50 Clubcard Price, ${text}`;
      expect([null, 250], priced).toContain(readPromotionText(priced, clubcard, currency).loyaltyPriceMinor);
    }
  });

  it.each([
    ...['£1 Clubcard discount', 'Clubcard saving: £1', 'Price drop £1 Clubcard Price', '- £1 Clubcard Price'],
    ...['£3 pair Clubcard Price', 'Clubcard Price £3 a pair'],
    ...['£2.50 less £1 Clubcard Price', '£2.50 Clubcard Price minus £1', '62.5p Clubcard Price'],
    ...'a pair|per pair|/pair|the pair|a dozen|a case|a couple|(a pair)|- a pair'
      .split('|')
      .flatMap((several) => [`£3 ${several} Clubcard Price`, `£3 Clubcard Price ${several}`]),
  ])('finds no price of one product in %j', (text) => {
    expect(readPromotionText(text, clubcard, 'GBP').loyaltyPriceMinor).toBeNull();
    expect(readPromotionText(irish(text), clubcard, 'EUR').loyaltyPriceMinor).toBeNull();
  });

  it.each([
    ...['(62.5p each)', '(62.5p/each)', '(62.5p per bottle)', '(63p a can)', '62.5p each', '(62.5p ea)'],
    ...['(62.5 pence each)', '(equals 62.5p each)', '- 62.5p each', '(62.5p/item)', '(Limit 5)', '(Limit of 5)'],
    ...['(Limited to 5)', '(limit five)', '(Max. 6)', '(max 6 items)', ', limit 5', '. Limit 5.', '(5 per customer)'],
    ...['(up to 5 per customer)', '(limit 5 per person)', '/ £6.00 non-Clubcard', '(non-Clubcard price £6.00)'],
    ...['. Non-Clubcard £6.00', '(£6 without)', '| £6.00 Regular Price', '/ £6.00 non Clubcard', '£6.00 No Clubcard'],
  ])('keeps the price for members beside %j', (more) => {
    const text = `£2.50 Clubcard Price ${more}`.replace(/ (?=[.,])/, '');
    expect(said(text, clubcard, 'GBP'), text).toEqual(loyalty(250));
    expect(said(irish(text), clubcard, 'EUR'), irish(text)).toEqual(loyalty(250));
  });

  it('reads the price of a piece as the price if the text names no other', () => {
    expect(said('Clubcard Price (£2.50 each)', clubcard)).toEqual(loyalty(250));
    expect(said('Was £6, Clubcard Price £2.50/each')).toEqual({ ...loyalty(250), wasPriceMinor: 600 });
    expect(said('£2 Back Bacon', null, 'GBP')).toEqual({ kind: 'price_cut', nowPriceMinor: 200 });
  });

  it('accepts a plus sign in the name of a range', () => {
    expect(said('£3.00 Clubcard Price - Selected Men + Care Deodorants')).toEqual(said('£3.00 Clubcard Price'));
  });

  it('returns no price of one product if the price is conditional or for several products', () => {
    const priced = ['£2.50 Clubcard Price', 'Clubcard Price £2.50', 'Now £2.50', 'Was £3 Now £2.50', '£2.50'];
    const prices = fc.constantFrom(...priced);
    const conditions = fc.constantFrom(
      ...['when you buy two', 'with any sandwich', 'when you spend £20', 'for 2', 'for any two', 'for the pair'],
      ...['in multiples of 2', 'minimum 2', 'x2', 'both', 'all three', 'bought together', 'from', 'up to'],
      ...['with subscription', 'per person', 'per month', 'per dose', 'to charity', 'off your next shop'],
      ...['off when you buy 3', '+ £1 postage'],
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
      const conditions = ['when you buy pasta', 'with any sandwich', 'with code SAVE', 'on orders over £20'];
      for (const condition of [...conditions, 'cases of 6'])
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

  it.each<[object, string[]]>([
    [
      perMeasure('4.2', 'kg'),
      [
        ...['£4.20 per kg Clubcard Price', '£4.20 a kilo Clubcard Price', '€0.42 per 100g Clubcard Price'],
        ...['£4.20 kg Clubcard Price', 'Better than Half Price £4.20 per kg Clubcard Price'],
      ],
    ],
    [perMeasure('0.08', 'wash'), ['8p per wash Clubcard Price']],
    [perMeasure('1.99', 'lb'), ['£1.99 lb Clubcard Price']],
    [{ ...perMeasure('4.2', 'kg'), savePercent: '25' }, ['Save 25% £4.20 per kg Clubcard Price']],
  ])('reads the price per weight or volume of as such: %j', (meaning, texts) => {
    for (const text of texts) {
      expect(said(text), text).toEqual(meaning);
    }
  });

  it.each<[object, string[]]>([
    [multibuy(2, 450), ['Any 2 for £4.50 Clubcard Price - Selected Invented Cheese 90g - 150g']],
    [multibuy(3, 1000), ['Buy 3 for £10', '3 items for only €10,00']],
    [multibuy(2, 350), ['2 for £3.50']],
    [multibuy(2, 85), ['two for 85p']],
    [multibuy(5, 500), ['5 for £5 or 10 for £9 Clubcard Price - Soup 400g']],
    [
      { kind: 'multibuy', quantity: 2 },
      [...['Any 2 for £5 each Clubcard Price', 'Buy 2 save £1', 'Save £1 on 2', 'Any 2 for £5 or less']],
    ],
    [{ kind: 'multibuy', quantity: 3 }, ['£2 each when you buy 3 Clubcard Price']],
    [
      nForM(3, 2),
      [
        ...['Any 3 for 2 Clubcard Price - Cheapest Product Free - Selected Things', 'INVENTED 3 FOR 2 C/F'],
        ...['3 for the price of 2', '3-for-2', 'Buy 3, pay for 2', 'Buy 2 packs get 1 free'],
        ...['Buy 2 get 3rd free Clubcard Price'],
      ],
    ],
    [multibuy(2, 500), ['2-for-£5', 'Any2 for &pound;5', '£5 for 2.', 'Invented 3 in 1 2 for £5']],
    [
      { kind: 'save_percent', quantity: 6, savePercent: '25' },
      [
        ...['Save 25% on 6 or more bottles', '25% off six bottles or more'],
        ...['Buy 6 or more Save 25% Clubcard Price - Save 25% On Wines When You Buy 6 +'],
      ],
    ],
    [{ kind: 'save_percent', quantity: 2, savePercent: '20' }, ['20% off 2 - Invented Toys']],
    [multibuy(3, 900), ['Was 3 for £10, now 3 for £9']],
    [multibuy(2, 800), ['Invented Cola 4 x 330ml 2 for £8']],
    [nForM(2, 1), ['Buy one get one free']],
  ])('does not read the deal as a price of one product: %j', (meaning, texts) => {
    for (const text of texts) {
      expect(said(text), text).toEqual(meaning);
      expect(said(text, clubcard), text).toEqual(meaning);
    }
  });

  it.each(['4 Pack for £3', '2 Litre for £2', '750ml for £5', 'Set of 3 for £10', 'Invented Wine 75cl for £5'])(
    'does not read a pack as a number of products: %j',
    (text) => {
      expect(said(text)).toEqual(unknown);
      expect(said(`${text} Clubcard Price`)).toEqual(unknown);
    },
  );

  it.each([
    ...['Buy 2 get cheapest half price', 'Any 2 cheapest half price', 'Buy 2, 2nd half price'],
    ...['Buy 2 save 50% on the second'],
  ])('does not read a reduction of one of several as a reduction of all: %j', (text) => {
    expect(said(text)).toEqual({ kind: 'save_percent', quantity: 2 });
  });

  it.each<[object, string[]]>([
    [
      { kind: 'meal_deal', dealPriceMinor: 500 },
      [
        ...['£5 Meal Deal Clubcard Price £5.50 Meal Deal Regular Price - Drink + Snack'],
        ...['Meal Deal £5 Clubcard Price, £5.50 Regular Price', 'Meal Deal Regular Price £5.50 Clubcard Price £5'],
      ],
    ],
    [{ kind: 'meal_deal', dealPriceMinor: 700 }, ['NOODLES Meal Deal for £7 Clubcard Price - Buy 1 Noodle, 1 Broth']],
    [{ kind: 'meal_deal' }, ['Meal Deal £5 £6 £7', 'Meal Deals from £3.60 Clubcard Price', '2 Meal Deals for £6']],
  ])('reads the bundle with its loyalty price: %j', (meaning, texts) => {
    for (const text of texts) {
      expect(said(text), text).toEqual(meaning);
    }
  });

  it.each<[object, string[]]>([
    [{ kind: 'save_percent', savePercent: '50' }, ['Half Price', 'Save ½']],
    [{ kind: 'save_percent', savePercent: '33.33' }, ['Save 1/3']],
    [{ kind: 'price_cut', nowPriceMinor: 200 }, ['Reduced to clear £2', 'Was £3, was £2.50, now £2']],
    [{ kind: 'save_percent', savePercent: '20' }, ['20% off', '20% off 2 Litre Invented Cola']],
    [{ kind: 'save_percent' }, ['Better than Half Price Clubcard Price']],
    [{ kind: 'price_cut', savingMinor: 50 }, ['Save 50p']],
    [{ kind: 'price_cut', wasPriceMinor: 300, nowPriceMinor: 200 }, ['Was £3 Now £2']],
    [{ kind: 'price_cut', nowPriceMinor: 250 }, ['£2.50']],
    [{ kind: 'price_cut', savePercent: '50', nowPriceMinor: 250 }, ['Half Price £2.50']],
  ])('recognises the ordinary promotion: %j', (meaning, texts) => {
    for (const text of texts) {
      expect(said(text), text).toEqual(meaning);
    }
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
    ...['', 'Clubcard Price', 'From £2.50 Clubcard Price', '£2.50 - £3 Clubcard Price'],
    ...['£5 Clubcard Price when you spend £30', '£5 off when you spend £30', '150 Clubcard points'],
    ...['2 x £2.50 Clubcard Price', '£1.00 off Clubcard Price', 'Save £1 Clubcard Price', 'Regular Price £3'],
    ...['£1.299 Clubcard Price', '£3 for 500g Clubcard Price', 'Buy 1 pizza & 2 sides for £8', '2.50 Clubcard Price'],
    ...['449 Ft Clubcard Price', '$2.50 Clubcard Price', '£2.50 Clubcard Price €3.00'],
    ...['£6.00 Clubcard Price for 2 or more', '2 for 10 Clubcard Price'],
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
      ...['', ' - Selected Soup 400g', ' - Tesco Finest* 2 Or 6 Pack', ' - 7up Zero 2 Litre', ' - Diet Coke 330ml'],
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
      ...['Clubcard Price', '£2.50', '€3,10', '85p', 'any', '2', 'for', 'buy', 'per kg', 'Save'],
      ...['25%', 'Was', 'Now', '-', '3', 'Half Price', 'each', 'free', '/', 'or'],
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
