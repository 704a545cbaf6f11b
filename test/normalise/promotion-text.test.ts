import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PromotionMeaning } from '../../src/base/model/index.ts';
import { readPromotionText } from '../../src/source/normalise/promotion-text.ts';
import cases from './promotion-text.json' with { type: 'json' };

/** The texts of promotion-text.json, by test. A case of some tests is a meaning, without its nulls, and its texts. */
type Case = [meaning: object, texts: string[]];

/** The meaning without its null fields. */
function said(text: string, offerType: string | null = null, currency?: 'GBP' | 'EUR'): Partial<PromotionMeaning> {
  const meaning = Object.entries(readPromotionText(text, offerType, currency));
  return Object.fromEntries(meaning.filter(([, value]) => value !== null));
}

const clubcard = 'CLUBCARD_PRICING';
const loyalty = (loyaltyPriceMinor: number) => ({ kind: 'loyalty_price', loyaltyPriceMinor });
const unknown = { kind: 'unknown' };

function readAs(meaning: object, texts: readonly string[]): void {
  for (const text of texts) expect(said(text), text).toEqual(meaning);
}

describe('readPromotionText', () => {
  it.each(cases.loyaltyPrices as Case[])(
    'finds a loyalty price with the saving that the text states exactly: %j',
    readAs,
  );

  it('keeps no saving that the text gives only as a minimum or maximum', () => {
    const savings = ['save £2', '£2 off', 'save 20%', '20% off', 'save 1/3', 'half price', '1/2 price'];
    const bounds = [
      ...['up to', 'at least', 'over', 'more than', 'nearly', 'almost', 'around', 'from', 'minimum', 'less than'],
    ];
    const tails = ['or more', 'or less', 'or better', 'and less'];
    const bounded = [
      ...savings.flatMap((saving) => bounds.map((bound) => `${bound} ${saving}`)),
      ...savings.flatMap((saving) => tails.map((tail) => `${saving} ${tail}`)),
      ...['10% to 50% off', '10-50% off', 'save 10% - 50%', 'save 20% + extra 10%', 'save over £1'],
    ];
    const prices = ['', '£4.30 Clubcard Price ', 'Was £9 Now £8 '];
    for (const text of prices.flatMap((price) => bounded.map((saving) => price + saving))) {
      const { savePercent, savingMinor, nowPriceMinor } = readPromotionText(text, null);
      expect([savePercent, savingMinor], text).toEqual([null, null]);
      expect([null, 800], text).toContain(nowPriceMinor);
    }
  });

  it.each(['Approx £5.50', 'Average price £5', '£1.10 per kg (about 20p each)'])(
    'does not read an estimate as the loyalty price: %j',
    (estimate) => {
      expect(said(`${estimate} Clubcard Price`).loyaltyPriceMinor).toBeUndefined();
    },
  );

  it.each(cases.ambiguous)('does not read an ambiguous amount as a price: %j', (text) => {
    expect(said(text)).toEqual(unknown);
    expect(said(text, clubcard)).toEqual(unknown);
  });

  it.each(cases.mealDeals as [string, number][])(
    'reads the price of a meal deal in any wording: %j',
    (text, dealPriceMinor) => {
      expect(said(text)).toMatchObject({ kind: 'meal_deal', dealPriceMinor });
    },
  );

  it.each(cases.ordinaryPrices as [string, number][])(
    'reads an ordinary price alone or after a slogan: %j',
    (text, nowPriceMinor) => {
      expect(said(text)).toMatchObject({ kind: 'price_cut', nowPriceMinor });
    },
  );

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

  it.each(cases.dates)('gives the same result with the dates appended: %j', (dates) => {
    const texts = ['£4.30 Clubcard Price', 'Any 2 for £5', '3 for 2', 'Was £3 Now £2', 'Half Price', 'Save 1/3'];
    for (const text of [...texts, 'Save £1']) expect(said(`${text} ${dates}`)).toEqual(said(text));
  });

  it('does not read a fraction or a number before a verb as a date', () => {
    expect(said('Save up to 1/3')).toEqual({ kind: 'save_percent' });
    expect(said('1/3 off until 1/3 off ends')).toEqual({ kind: 'save_percent', savePercent: '33.33' });
    expect(said('Any 3 may be mixed for £5')).toEqual({ kind: 'multibuy', quantity: 3 });
  });

  it.each(cases.otherThings as [string, string][])(
    'does not read %j as a price or saving of one product, because it is %s',
    (text) => {
      expect(said(text)).toEqual(unknown);
    },
  );

  /** The same text with amounts of Ireland. */
  const irish = (text: string) =>
    text
      .replaceAll('£', '€')
      .replace(/(?<=\d)p\b/g, 'c')
      .replace('pence', 'cent');

  it.each(cases.savings)('reads what %j takes off as a saving, never as a price', (saving) => {
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

  it.each(cases.notOneProduct)('finds no price of one product in %j', (text) => {
    expect(readPromotionText(text, clubcard, 'GBP').loyaltyPriceMinor).toBeNull();
    expect(readPromotionText(irish(text), clubcard, 'EUR').loyaltyPriceMinor).toBeNull();
  });

  it.each(cases.besidePrice)('keeps the price for members beside %j', (more) => {
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
    expect(said('Save £2 per kg £8 per kg Clubcard Price')).toEqual({
      ...{ kind: 'loyalty_unit_price', loyaltyUnitPrice: '8', loyaltyUnitMeasure: 'kg' },
    });
  });

  it.each(cases.perMeasure as Case[])('reads the price per weight or volume of as such: %j', readAs);

  it.each(cases.deals as Case[])('does not read the deal as a price of one product: %j', (meaning, texts) => {
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

  it.each(cases.bundles as Case[])('reads the bundle with its loyalty price: %j', readAs);

  it.each(cases.ordinary as Case[])('recognises the ordinary promotion: %j', readAs);

  it('uses the offer type if the text contains only the price', () => {
    expect(said('£2.50', clubcard)).toEqual(loyalty(250));
    expect(said('Only £2.50', clubcard)).toEqual(loyalty(250));
    expect(said('£2.50 Save 25%', clubcard)).toEqual({ ...loyalty(250), savePercent: '25' });
    expect(said('£2.50', 'OTHER')).toEqual({ kind: 'price_cut', nowPriceMinor: 250 });
    expect(said('Was £3 Now £2', clubcard)).toEqual(unknown);
    expect(said('£2.50 Price Match', clubcard)).toEqual(unknown);
  });

  it.each(cases.unknown)('returns no meaning for the unknown text %j', (text) => {
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
