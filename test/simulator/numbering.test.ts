import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNumbering, generationsPerSlot, mostItems } from '../../src/simulator/numbering.ts';

const slot = fc.integer({ min: 0, max: mostItems - 1 });
const generation = fc.integer({ min: 0, max: generationsPerSlot - 1 });

describe('numbering', () => {
  it('the slot and generation of every issued id and barcode are found', () => {
    fc.assert(
      fc.property(fc.nat(), slot, generation, (seed, place, nth) => {
        const numbering = createNumbering(seed, mostItems, mostItems >> 1, '0539');
        expect(numbering.productId(place, nth)).toMatch(/^[1-9]\d{8}$/);
        expect(numbering.slotOf(numbering.productId(place, nth))).toEqual({ slot: place, generation: nth });
        expect(numbering.slotOfGtin(numbering.gtin(place, nth))).toEqual({ slot: place, generation: nth });
      }),
    );
  });

  it('no id is issued twice', () => {
    const numbering = createNumbering(7, 3000, 0, '0506');
    const ids = Array.from({ length: 3000 * 4 }, (_, index) => numbering.productId(index >> 2, index & 3));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('part of the ids is shared with the other region', () => {
    const ids = (offset: number) => {
      const numbering = createNumbering(7, 1000, offset, '0506');
      return Array.from({ length: 1000 }, (_, index) => numbering.productId(index, 0));
    };
    const uk = new Set(ids(0));
    expect(ids(500).filter((id) => uk.has(id))).toHaveLength(500);
  });

  it('barcodes have 14 digits with a correct check digit', () => {
    const numbering = createNumbering(7, 1000, 0, '0506');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), (place) => {
        const digits = [...numbering.gtin(place, 0)].map(Number);
        expect(digits).toHaveLength(14);
        expect(digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 3 : 1), 0) % 10).toBe(0);
      }),
    );
  });

  it('ids that were never issued are unknown', () => {
    const numbering = createNumbering(7, 10, 0, '0506');
    for (const id of ['1', '', 'abc', '99999999', '100000001']) expect(numbering.slotOf(id)).toBeNull();
  });
});
