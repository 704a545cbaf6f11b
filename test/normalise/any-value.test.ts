import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAllergens, readIngredients } from '../../src/source/normalise/ingredients.ts';
import { parseMoney } from '../../src/source/normalise/money.ts';
import { readNutrition } from '../../src/source/normalise/nutrition.ts';
import { packSizeFromList } from '../../src/source/normalise/pack-list.ts';
import { readPackTitle } from '../../src/source/normalise/pack-title.ts';
import { normaliseUnitPrice } from '../../src/source/normalise/unit-price.ts';

test('any value is read without an error, and no price or size is 0', () => {
  const table = fc.record({ name: fc.anything(), value1: fc.anything(), perComp: fc.anything() }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), fc.array(table)), (value) => {
      expect(parseMoney(value) ?? 1).toBeGreaterThan(0);
      const title = typeof value === 'string' ? value : '';
      for (const size of [packSizeFromList(value), readPackTitle(title).size]) expect(size?.size).not.toBe('0');
      void [normaliseUnitPrice(value, value), readAllergens(value, []), readIngredients(value), readNutrition(value)];
    }),
  );
});
