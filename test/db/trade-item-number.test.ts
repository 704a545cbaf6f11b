import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { checkDigit } from '../../src/source/normalise/barcode.ts';
import { useDatabase } from '../support/database.ts';

const completed = (body: string) => body + checkDigit(body);

describe('catalog.is_trade_item_number', () => {
  const database = useDatabase();
  const accepted = async (gtins: readonly string[]) =>
    (
      await rowsOf<{ gtin: string }>(
        database.db,
        'select gtin from unnest($1::text[]) as gtin where catalog.is_trade_item_number(gtin)',
        [gtins],
      )
    ).map(({ gtin }) => gtin);

  it('recognises real barcodes of all lengths', async () => {
    // The examples of the GS1 General Specifications and of ISO/IEC 15420.
    const real = ['09501101530003', '00614141000036', '00000040170725', '10614141000415', '05063445800654'];
    expect(await accepted(real)).toEqual(real);
  });

  it('refuses internal numbers of shops, coupons, and goods of varying weight', async () => {
    const bodies = ['0021234567890', '0041234567890', '0201234567890', '0281000000000', '0299999999999'];
    const coupons = ['0980123456789', '0981123456789', '0984123456789', '0991234567890'];
    const short = ['0000000012345', '0000002123456'.padStart(13, '0')];
    expect(await accepted([...bodies, ...coupons, ...short, '9501234567890'].map(completed))).toEqual([]);
  });

  it('detects every single wrong digit, and refuses anything but 14 digits', async () => {
    const body = fc.integer({ min: 300_000_000_000, max: 899_999_999_999 }).map((number) => `0${number}`);
    const right = fc.sample(body, 20).map(completed);
    expect(await accepted(right)).toEqual(right);
    const wrong = right.flatMap((gtin) =>
      [...gtin].map((digit, place) => gtin.slice(0, place) + ((Number(digit) + 3) % 10) + gtin.slice(place + 1)),
    );
    const others = fc.sample(
      fc.string({ maxLength: 20 }).filter((text) => !/^\d{14}$/.test(text) && !text.includes('\0')),
      50,
    );
    expect(await accepted([...wrong, ...others])).toEqual([]);
  });
});
