import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf, costOfRequests, grocery } from '../../src/source/listings/index.ts';

const plan = { ...grocery.plans[1]!, pricePerMonth: amountOf('10', 'USD') };
const paid = { plan, pricePerExtraRequest: amountOf('0.001', 'USD') };

describe('what requests cost', () => {
  it('a request costs its share of the price, and beyond the quota the price of an additional one', () => {
    expect(costOfRequests(paid, { requests: 500, used: 0, included: 1_000 }).amount).toEqual(amountOf('5', 'USD'));
    expect(costOfRequests(paid, { requests: 500, used: 900, included: 1_000 }).amount).toEqual(amountOf('1.4', 'USD'));
  });

  it('an unknown cost is reported with the reason', () => {
    const asked = { requests: 5, used: 0, included: 10 };
    expect(costOfRequests({ plan: null, pricePerExtraRequest: null }, asked).why).toContain('price of the plan');
    expect(costOfRequests(paid, { ...asked, included: null }).why).toContain('included in the price');
    expect(costOfRequests({ plan, pricePerExtraRequest: null }, { ...asked, used: 10 }).why).toContain(
      'beyond the quota',
    );
    expect(
      costOfRequests({ plan: grocery.plans[0]!, pricePerExtraRequest: null }, { ...asked, included: null }).amount
        ?.micros,
    ).toBe(0);
    const beyond = { plan: grocery.plans[0]!, pricePerExtraRequest: amountOf('0.01', 'USD') };
    for (const included of [null, 0])
      expect(costOfRequests(beyond, { ...asked, included }).why).toContain('included in the price');
  });

  it('costs add up to the price of the month, however its requests are split', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 40 }), (parts) => {
        const included = parts.reduce((sum, part) => sum + part, 0);
        let used = 0;
        let micros = 0;
        for (const requests of parts) {
          micros += costOfRequests(paid, { requests, used, included }).amount!.micros;
          used += requests;
        }
        expect(Math.abs(micros - plan.pricePerMonth.micros)).toBeLessThanOrEqual(parts.length);
      }),
    );
  });
});
