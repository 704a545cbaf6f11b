import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigit, isTradeItemNumber } from '../../src/source/normalise/trade-item-number.ts';

const completed = (body: string) => body + checkDigit(body);

describe('isTradeItemNumber', () => {
  it('recognises real barcodes of all lengths', () => {
    // The examples of the GS1 General Specifications and of ISO/IEC 15420.
    for (const gtin of ['09501101530003', '00614141000036', '00000040170725', '10614141000415', '05063445800654'])
      expect([gtin, isTradeItemNumber(gtin)]).toEqual([gtin, true]);
  });

  it('refuses internal numbers of shops, coupons, and goods of varying weight', () => {
    const bodies = ['0021234567890', '0041234567890', '0201234567890', '0281000000000', '0299999999999'];
    const coupons = ['0980123456789', '0981123456789', '0984123456789', '0991234567890'];
    const short = ['0000000012345', '0000002123456'.padStart(13, '0')];
    for (const body of [...bodies, ...coupons, ...short, '9501234567890'])
      expect([body, isTradeItemNumber(completed(body))]).toEqual([body, false]);
  });

  it('detects every single wrong digit', () => {
    const body = fc.integer({ min: 300_000_000_000, max: 899_999_999_999 }).map((number) => `0${number}`);
    fc.assert(
      fc.property(body, fc.nat(13), fc.integer({ min: 1, max: 9 }), (digits, place, shift) => {
        const gtin = completed(digits);
        expect(isTradeItemNumber(gtin)).toBe(true);
        const wrong = [...gtin];
        wrong[place] = String((Number(wrong[place]) + shift) % 10);
        expect(isTradeItemNumber(wrong.join(''))).toBe(false);
      }),
    );
  });

  it('refuses anything but 14 digits', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }).filter((text) => !/^\d{14}$/.test(text)),
        (text) => !isTradeItemNumber(text),
      ),
    );
  });
});
