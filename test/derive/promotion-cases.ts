/**
 * A product's story, and what is to be said of its last promotion. Days are counted from 1 January 2026. Prices:
 * `day:price` in pence, `@` a unit price per kg; `x` is absent, `-` listed without a price, `o` out of stock; `100b` is
 * the second run of day 100. Promotions: `from-to text`, `to` being the first day without; before the text `s` and `e`
 * give its own first day and end, `e70-` the last second of day 69.
 */
export interface PromotionCase {
  readonly prices: string;
  readonly promotions: readonly string[];
  /** The verdict, or the reason why there is none. */
  readonly prior: string;
}

type Line = readonly [prices: string, promotions: string | readonly string[], prior: string];

const [pass, fail, few] = ['pass', 'fail', 'not_enough_nights'];
const club = 'Clubcard Price';

/** Every night is certified. */
const everyNight: readonly Line[] = [
  // Announced savings with an unchanged price.
  ['1:200', `60- £1.50 ${club}`, pass],
  ['1:200', `60- £1.99 ${club}`, pass],
  ['1:200', `60- £2.00 ${club}`, fail],
  ['1:200', `60- £2.10 ${club}`, fail],
  ['1:80', `60- 64p ${club}`, pass],
  ['1:80', `60- 80p ${club}`, fail],
  ['1:200', `60- £1.50 Save 25% ${club}`, pass],
  ['1:200', `60- £1.51 Save 25% ${club}`, pass],
  ['1:200', `60- £1.52 Save 25% ${club}`, fail],
  ['1:200', `60- £1.60 Save 25% ${club}`, fail],
  ['1:200', `60- £1.40 Save 25% ${club}`, pass],
  ['1:200', `60- £1.00 Half Price ${club}`, pass],
  ['1:200', `60- £1.01 Half Price ${club}`, pass],
  ['1:200', `60- £1.02 Half Price ${club}`, fail],
  ['1:199', `60- £1.00 Half Price ${club}`, pass],
  // Rounded by half a penny, which is more than half a point of a low price.
  ['1:89', `60- 45p Half Price ${club}`, pass],
  ['1:89', `60- 46p Half Price ${club}`, fail],
  ['1:35', `60- 23p Save 1/3 ${club}`, pass],
  ['1:35', `60- 24p Save 1/3 ${club}`, fail],
  ['1:200', `60- £1.33 Save 1/3 ${club}`, pass],
  ['1:200', `60- £1.34 Save 1/3 ${club}`, pass],
  ['1:200', `60- £1.36 Save 1/3 ${club}`, fail],
  ['1:200', `60- £0.90 Better than Half Price ${club}`, pass],
  ['1:200', `60- £1.90 Save up to 50% ${club}`, pass],
  ['1:200', `60- Was £2.00 Now £1.50 ${club}`, pass],
  ['1:200', `60- Was £2.50 Now £1.50 ${club}`, fail],
  ['1:200', `60- Was £2.01 Now £1.50 ${club}`, fail],
  ['1:200', `60- Was £1.90 Now £1.50 ${club}`, pass],
  ['1:200', `60- £1.50 ${club} £2.00 Regular Price`, pass],
  ['1:200', `60- Half Price ${club}`, pass],
  ['1:200', `60- Save 25% ${club}`, pass],
  ['1:200', `60- Better than Half Price ${club}`, 'price_not_stated'],

  // New arrivals: thirty known nights, not fewer.
  ['60:200', `60- £1.50 ${club}`, few],
  ['32:200', `60- £1.50 ${club}`, few],
  ['31:200', `60- £1.50 ${club}`, few],
  ['30:200', `60- £1.50 ${club}`, pass],
  ['1:200', `30- £1.50 ${club}`, few],
  ['1:200', `31- £1.50 ${club}`, pass],
  ['1:200', `1- £1.50 ${club}`, few],
  ['1:200', `1- s1 £1.50 ${club}`, few],
  // Too few nights never make a pass, but one lower price is enough to fail.
  ['50:200', `60- £2.00 ${club}`, fail],
  ['50:200 55:250', `60- £2.20 ${club}`, fail],
  ['59:200 60:250', `60- £2.00 ${club}`, fail],
  ['60:250', `60- £2.00 ${club}`, few],
  ['60:250', `60- £2.00 Half Price ${club}`, few],
  ['50:200', `60- £1.60 Save 25% ${club}`, fail],
  ['50:200', `60- Was £2.50 Now £1.50 ${club}`, fail],

  // Rises before the promotion.
  ['1:200 55:250', `60- £2.00 ${club}`, fail],
  ['1:200 55:250', `60- £1.80 ${club}`, fail],
  ['1:200 59:250', `60- £2.00 ${club}`, fail],
  ['1:200 60:250', `60- £2.00 ${club}`, fail],
  ['1:200 60:250', `60- £1.50 ${club}`, fail],
  ['1:200 60:201', `60- £1.50 ${club}`, fail],
  ['1:200 30:250', `60- £2.00 ${club}`, pass],
  ['1:200 31:250', `60- £2.00 ${club}`, fail],
  ['1:200 31:250', `60- £1.50 ${club}`, fail],
  ['1:200 31:250', `61- £1.50 ${club}`, pass],
  ['1:600 46:800', `60- £6.00 ${club}`, fail],
  ['1:600 46:800', `60- £5.00 ${club}`, fail],
  ['1:600 30:800', `60- £6.00 ${club}`, pass],
  // Prices that fall before the promotion.
  ['1:300 50:200', `60- £1.50 ${club}`, pass],
  ['1:300 50:200', `60- £2.00 ${club}`, fail],
  ['1:300 50:200', `60- £2.50 ${club}`, fail],
  ['1:300 50:200', `60- Was £3.00 Now £1.50 ${club}`, fail],
  ['1:300 30:200', `60- Was £3.00 Now £1.50 ${club}`, fail],
  ['1:300 60:250', `60- £2.00 ${club}`, pass],
  ['1:300 60:250', `60- Was £3.00 Now £2.00 ${club}`, pass],
  ['1:300 60:250', `60- £2.50 ${club}`, pass],
  // Temporarily lower prices: the lowest counts, even if it was valid for one night.
  ['1:300 40:200 45:300', `60- £2.50 ${club}`, fail],
  ['1:300 40:200 45:300', `60- £1.90 ${club}`, fail],
  ['1:300 20:200 30:300', `60- £2.50 ${club}`, pass],
  ['1:300 20:200 31:300', `60- £2.50 ${club}`, fail],
  ['1:300 59:200 60:300', `60- £2.50 ${club}`, fail],
  ['1:300 30:200 31:300', `60- £2.50 ${club}`, fail],
  ['1:300 29:200 30:300', `60- £2.50 ${club}`, pass],
  ['1:300 40:299 41:300', `60- £2.50 ${club}`, fail],
  // Peaks do no harm.
  ['1:200 40:300 45:200', `60- £1.50 ${club}`, pass],
  ['1:200 40:300 45:200', `60- Was £3.00 Now £1.50 ${club}`, fail],

  // Nights without the product are unknown; an out-of-stock product is still listed with its price.
  ['1:200 40:x 41:200', `60- £1.50 ${club}`, few],
  ['1:200 59:x 60:200', `60- £1.50 ${club}`, few],
  ['1:200 30:x 31:200', `60- £1.50 ${club}`, few],
  ['1:200 29:x 30:200', `60- £1.50 ${club}`, pass],
  ['1:200 29:x 60:200', `60- £1.50 ${club}`, few],
  ['1:200 40:250 45:x 50:250', `60- £2.20 ${club}`, fail],
  ['1:200 25:x 59:250', `60- £1.50 ${club}`, few],
  ['1:200 40:- 41:200', `60- £1.50 ${club}`, few],
  ['1:200 59:- 60:200', `60- £1.50 ${club}`, few],
  ['1:200 29:- 30:200', `60- £1.50 ${club}`, pass],
  ['1:200 60:-', `60- £1.50 ${club}`, pass],
  ['1:200 60:-', `60- £2.00 ${club}`, fail],
  ['1:200 40:o 45:200', `60- £1.50 ${club}`, pass],
  ['1:200 20:o', `60- £1.50 ${club}`, pass],
  ['1:o200 20:200', `60- £1.50 ${club}`, pass],

  // Successive cuts without interruption: what counts is the price before the first.
  ['1:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £8.00 Now £6.00'], pass],
  ['1:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £10.50 Now £6.00'], fail],
  ['1:1000 60:800 67:600', '67- Was £10.00 Now £6.00', fail],
  ['1:1000 60:800 67:600', ['60-67 Only £8.00', '67- Was £10.00 Now £6.00'], fail],
  ['1:1000 60:800 67:1000 68:600', ['60-67 Was £10.00 Now £8.00', '68- Was £10.00 Now £6.00'], fail],
  ['1:1000 60:800 67:1000 68:600', ['60-67 Was £10.00 Now £8.00', '68- Was £8.00 Now £6.00'], pass],
  ['1:1000 60:800 67:1000 98:600', ['60-67 Was £10.00 Now £8.00', '98- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 67:1000 97:600', ['60-67 Was £10.00 Now £8.00', '97- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 67:1000 96:600', ['60-67 Was £10.00 Now £8.00', '96- Was £10.00 Now £6.00'], fail],
  ['1:1000 60:600 67:800', ['60-67 Was £10.00 Now £6.00', '67- Was £10.00 Now £8.00'], fail],
  ['1:1000 60:800', ['60-67 Was £10.00 Now £8.00', '67- Was £10 Now £8'], pass],
  ['1:1000 60:800 100:800', ['60-100 Was £10.00 Now £8.00', '100- Was £10 Now £8'], pass],
  ['1:1000 60:800 95:600', ['60-95 Was £10.00 Now £8.00', '95- Was £10.00 Now £6.00'], pass],
  [
    '1:1000 60:900 67:800 74:700',
    ['60-67 Was £10.00 Now £9.00', '67-74 Was £10.00 Now £8.00', '74- Was £10.00 Now £7.00'],
    pass,
  ],
  [
    '1:1000 60:900 67:800 74:1000 75:700',
    ['60-67 Was £10.00 Now £9.00', '67-74 Was £10.00 Now £8.00', '75- Was £10.00 Now £7.00'],
    fail,
  ],
  [
    '1:1000 60:900 67:950 74:700',
    ['60-67 Was £10.00 Now £9.00', '67-74 Was £10.00 Now £9.50', '74- Was £10.00 Now £7.00'],
    fail,
  ],
  ['1:700 55:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £10.00 Now £6.00'], fail],
  ['1:700 30:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £10.00 Now £6.00'], pass],
  ['1:700 31:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £10.00 Now £6.00'], fail],
  ['45:1000 60:800 67:600', ['60-67 Was £10.00 Now £8.00', '67- Was £10.00 Now £6.00'], few],
  ['45:1000 60:800 100:600', ['60-100 Was £10.00 Now £8.00', '100- Was £10.00 Now £6.00'], few],
  ['30:1000 60:800 100:600', ['60-100 Was £10.00 Now £8.00', '100- Was £10.00 Now £6.00'], pass],
  ['31:1000 60:800 100:600', ['60-100 Was £10.00 Now £8.00', '100- Was £10.00 Now £6.00'], few],
  ['1:1000 60:800 67:x 70:600', ['60-70 Was £10.00 Now £8.00', '70- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 67:600', ['60-67 Save £2.00', '67- Save £4.00'], pass],
  ['1:1000 60:800 67:600', ['60-67 Save £2.00', '67- Save £4.50'], fail],
  ['1:1000 60:800 67:500', ['60-67 20% off', '67- Half Price'], pass],
  ['1:1000 60:800 67:600', ['60-67 20% off', '67- Half Price'], fail],
  ['1:200', [`60-67 £1.80 ${club}`, `67- £1.50 ${club}`], pass],
  ['1:200', [`60-67 £1.50 ${club}`, `67- £1.80 ${club}`], pass],
  ['1:200', [`60-70 £1.80 ${club}`, `65- £1.50 ${club}`], pass],
  ['1:200 67:250', [`60-67 £1.80 ${club}`, `67- £1.50 ${club}`], fail],
  ['1:1000 67:600', [`60-67 £8.00 ${club}`, '67- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800', ['60-67 Was £10.00 Now £8.00', `67- £6.00 ${club}`], pass],
  ['1:1000 60:800 67:600', ['60-67 Any 2 for £8.00', '67- Was £10.00 Now £6.00'], fail],
  // The promotion's own dates end it, however long it stays on the page.
  ['1:1000 60:800 67:1000 70:600', ['60-70 e67 Was £10.00 Now £8.00', '70- Was £10.00 Now £6.00'], fail],
  ['1:1000 60:800 70:600', ['60-70 e70 Was £10.00 Now £8.00', '70- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 70:600', ['60-70 e80 Was £10.00 Now £8.00', '70- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 70:600', ['60-71 e70- Was £10.00 Now £8.00', '70- Was £10.00 Now £6.00'], pass],
  ['1:1000 60:800 70:600', ['60-71 e69- Was £10.00 Now £8.00', '70- Was £10.00 Now £6.00'], fail],

  // Its start: its own first day if it could not have been seen before, otherwise when it was first seen.
  ['1:250 58:200 60:250', `58- s60 £2.20 ${club}`, fail],
  ['1:250 60:200', `58- £2.20 ${club}`, pass],
  ['1:250 45:200 60:250', `60- s40 £2.20 ${club}`, fail],
  ['1:250 45:200 60:250', `60- s60 £2.20 ${club}`, fail],
  ['30:200', `58- s60 £1.50 ${club}`, pass],
  ['31:200', `58- s60 £1.50 ${club}`, few],
  ['1:200', `60- s60 e74 £1.50 ${club}`, pass],

  // Cuts for everybody: the shelf has the price.
  ['1:300 60:200', '60- Was £3.00 Now £2.00', pass],
  ['1:300 60:200', '60- Was £3.50 Now £2.00', fail],
  ['1:300 60:200', '60- Was £2.50 Now £2.00', pass],
  ['1:200', '60- Was £3.00 Now £2.00', fail],
  ['1:300 60:200', '60- Only £2.00', 'no_reduction_stated'],
  ['1:300 60:200', '60- £2.00', 'no_reduction_stated'],
  ['1:300 60:200', '60- Save £1.00', pass],
  ['1:300 60:200', '60- Save £1.50', fail],
  ['1:300 60:200', '60- Save 50p', pass],
  ['1:400 60:200', '60- Half Price', pass],
  ['1:300 60:200', '60- Half Price', fail],
  ['1:400 60:300', '60- 25% off', pass],
  ['1:400 60:301', '60- 25% off', pass],
  ['1:400 60:303', '60- 25% off', fail],
  ['1:400 60:200', '60- Half Price £2.00', pass],
  ['1:390 60:200', '60- Half Price £2.00', fail],
  ['1:300 60:-', '60- Save £1.00', 'price_not_stated'],
  ['1:300 50:400 60:200', '60- Half Price', fail],
  ['1:200 55:250', `60- Half Price ${club}`, fail],

  // Deals on several products, and texts that are not understood.
  ['1:200', `60- Any 2 for £3.00 ${club}`, 'deal_on_several'],
  ['1:200', `60- Any 3 for 2 ${club} - Cheapest Product Free`, 'deal_on_several'],
  ['1:200', `60- Buy 6 or more Save 25% ${club}`, 'deal_on_several'],
  ['1:200', `60- £5 Meal Deal ${club} £5.50 Meal Deal Regular Price`, 'deal_on_several'],
  ['1:200', '60- New Recipe', 'text_not_understood'],
  ['1:200', '60- Triple Points on Selected Lines', 'text_not_understood'],

  // Prices per weight: the unit price is compared.
  ['1:200@4', `60- £3.00 per kg ${club}`, pass],
  ['1:200@4', `60- £4.00 per kg ${club}`, fail],
  ['1:200@4', `60- £4.50 per kg ${club}`, fail],
  ['1:200@4 55:200@5', `60- £4.00 per kg ${club}`, fail],
  ['1:200@4 55:200@5', `60- £3.00 per kg ${club}`, fail],
  ['1:200@4 30:200@5', `60- £4.00 per kg ${club}`, pass],
  ['1:200@4 31:200@5', `60- £4.00 per kg ${club}`, fail],
  ['1:200@4 40:250@4', `60- £3.00 per kg ${club}`, pass],
  ['1:200@4', `60- Save 25% £3.00 per kg ${club}`, pass],
  ['1:200@4', `60- Save 25% £3.20 per kg ${club}`, fail],
  ['1:200@4', `60- £0.30 per 100g ${club}`, pass],
  ['1:200@4', `60- £3.00 per litre ${club}`, 'no_comparable_unit_price'],
  ['1:200', `60- £3.00 per kg ${club}`, 'no_comparable_unit_price'],
  ['1:200 40:200@4', `60- £3.00 per kg ${club}`, few],
  ['1:200 30:200@4', `60- £3.00 per kg ${club}`, pass],
  ['1:200 31:200@4', `60- £3.00 per kg ${club}`, few],
  ['1:200 40:200@4 50:200@5', `60- £4.50 per kg ${club}`, fail],
  ['1:200@4', [`60-67 £3.50 per kg ${club}`, `67- £3.00 per kg ${club}`], pass],
  ['1:200@4 67:200@5', [`60-67 £3.50 per kg ${club}`, `67- £3.00 per kg ${club}`], fail],
  ['1:200@4', [`60-67 £1.50 ${club}`, `67- £3.00 per kg ${club}`], pass],
];

/**
 * No run on day 60, partial ones on days 61 and 140. Days 100 and 120 have two runs each; the second of day 120 is
 * partial.
 */
const gaps: readonly Line[] = [
  ['1:200', `59- €1.50 ${club}`, pass],
  ['1:200', `62- €1.50 ${club}`, pass],
  ['1:200', `80- €1.50 ${club}`, pass],
  ['1:200', `80- €2.00 ${club}`, fail],
  ['1:200 70:250', `80- €2.20 ${club}`, fail],
  ['1:200', `91- €1.50 ${club}`, pass],
  ['1:200', `92- €1.50 ${club}`, pass],
  ['1:200', `61- €1.50 ${club}`, pass],
  ['1:200', `62- s60 €1.50 ${club}`, pass],
  ['1:200', `62- s61 €1.50 ${club}`, pass],
  ['1:200', `62- s40 €1.50 ${club}`, pass],
  ['1:200 61:150 62:200', `80- €1.60 ${club}`, few],
  ['1:200 62:150 63:200', `80- €1.60 ${club}`, fail],
  // Lost nights are known between two nights with the same price, unless a run in between saw another one.
  ['1:250 62:200', `80- €1.50 ${club}`, few],
  ['1:250 62:200', `91- €1.50 ${club}`, few],
  ['1:250 62:200', `92- €1.50 ${club}`, pass],
  ['1:200 62:o', `80- €1.50 ${club}`, pass],
  ['1:200 62:x 63:200', `80- €1.50 ${club}`, few],
  ['1:200', [`61-62 €1.40 ${club}`, `80- €1.50 ${club}`], few],
  ['1:200', `141- €1.50 ${club}`, pass],
  ['1:300 141:200', '141- Was €3.00 Now €2.00', few],
  ['1:200', `148- €1.50 ${club}`, pass],
  ['1:250 141:200', `148- €1.50 ${club}`, few],
  ['1:300 141:250 145:200', ['141-145 Was €3.00 Now €2.50', '145- Was €3.00 Now €2.00'], few],
  ['1:200 100:150 100b:200', `110- €1.60 ${club}`, pass],
  ['1:200 100b:150 101:200', `110- €1.60 ${club}`, fail],
  ['1:200 120b:150 121:200', `130- €1.60 ${club}`, pass],
  ['1:200 120:150 120b:200', `130- €1.60 ${club}`, fail],
  ['1:200 100:x 100b:200', `110- €1.60 ${club}`, pass],
  ['1:200', `100b- €1.50 ${club}`, pass],
  ['1:200', `120b- €1.50 ${club}`, pass],
  // The certified run of its last date was still one with it.
  ['1:200 120:150 121:200', `110-120b €1.60 ${club}`, pass],
  ['1:1000 59:800 62:600', ['59-62 Was €10.00 Now €8.00', '62- Was €10.00 Now €6.00'], pass],
  ['1:1000 57:800 62:600', ['57-62 e60 Was €10.00 Now €8.00', '62- s60 Was €10.00 Now €6.00'], pass],
  ['1:1000 57:800 62:600', ['57-62 e60 Was €10.00 Now €8.00', '62- s61 Was €10.00 Now €6.00'], fail],
  ['1:200 61:180', `50-61 €1.50 ${club}`, pass],
  ['1:200 62:180', `50-61 €1.50 ${club}`, pass],
  ['1:200 61:180 62:200', `50-61 €1.50 ${club}`, pass],
];

const asCases = (lines: readonly Line[]): readonly PromotionCase[] =>
  lines.map(([prices, promotions, prior]) => ({
    prices,
    promotions: typeof promotions === 'string' ? [promotions] : promotions,
    prior,
  }));

export const promotionCases = { uk: asCases(everyNight), ie: asCases(gaps) };
