import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAllergens, readIngredients } from '../../src/source/normalise/ingredients.ts';
import cases from './ingredients.json' with { type: 'json' };

// A row of ingredients.json: texts about allergens, and the allergens that the product contains.

describe('readIngredients', () => {
  it('joins a list that was split on every comma, decimal commas too', () => {
    expect(readIngredients(['Apple (86%)', 'rowan juice (3', '5%)', 'Aroma']).text).toBe(
      'Apple (86%), rowan juice (3,5%), Aroma',
    );
    expect(readIngredients(['<p>Milk</p>', 'Salt']).text).toBe('Milk, Salt');
  });

  it('turns markup into one plain line and keeps what was bold apart', () => {
    expect(readIngredients('<p>INGREDIENTS: <strong>Milk</strong>, Salt &amp; <b>Wheat</b> Flour</p>')).toEqual({
      text: 'INGREDIENTS: Milk, Salt & Wheat Flour',
      bold: ['Milk', 'Wheat'],
    });
  });

  it('finds markup that a comma cut in two', () => {
    expect(readIngredients(['Sugar', '<strong>Milk', 'Soya</strong>']).bold).toEqual(['Milk, Soya']);
  });

  it('returns null for null, numbers and empty lists', () => {
    for (const value of [null, undefined, 5, [], [null], ''])
      expect(readIngredients(value)).toEqual({ text: null, bold: [] });
  });

  it('never leaves a known tag in the text and never throws', () => {
    const part = fc.constantFrom('<strong>', '</strong>', '<p>', 'Milk', '3', ',', '<', '&amp;', ' ');
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(readIngredients(parts.join('')).text ?? '').not.toMatch(/<\/?(?:strong|p)>/);
      }),
    );
  });
});

describe('readAllergens', () => {
  it('unites declared and bold allergens, in lower case, sorted and distinct', () => {
    expect(
      readAllergens([{ name: 'Contains', values: ['Milk', 'Soya, Eggs'] }], ['Wheat Flour', 'MILK', 'Allergy Advice:']),
    ).toEqual(['eggs', 'milk', 'soya', 'wheat flour']);
  });

  it('leaves out what a product may contain or is free from', () => {
    expect(
      readAllergens(
        [
          { name: 'May Contain', values: ['Nuts'] },
          { name: 'Free From', values: ['Gluten'] },
          { name: 'Celery', values: ['Contains'] },
        ],
        [],
      ),
    ).toEqual(['celery']);
  });

  it.each(cases.allergens as [string[], string[]][])('reads %j as %j', (values, allergens) => {
    expect(readAllergens([{ name: 'Allergy Information', values }], [])).toEqual(allergens);
  });

  it('takes nothing bold as contained that the product only may contain', () => {
    const found = (markup: string) => readAllergens([], readIngredients(markup).bold);
    expect(found('<b>Wheat</b>, Salt (3.5%). May contain <b>nuts</b>, 0.5% <b>egg</b>.')).toEqual(['wheat']);
    expect(found('Sugar (may contain <b>soya</b>), <b>Milk</b>')).toEqual(['milk']);
    expect(found('<b>Milk</b>. Packed in a factory that handles <b>nuts</b>.')).toEqual(['milk']);
    expect(found('Made on a line handling <b>nuts</b>. <b>Milk</b>')).toEqual(['milk']);
    expect(found('<b>Milk</b>. Traces of <b>nuts</b> may be present')).toEqual(['milk']);
    expect(found('<b>Filling</b>: Sugar, <b>Milk</b>')).toEqual(['milk']);
    expect(found('<p>May contain <b>nuts</b></p><p>Contains <b>milk</b></p>')).toEqual(['milk']);
    expect(found('<b>Wheat</b>. <b>May contain nuts, milk and soya.</b>')).toEqual(['wheat']);
    expect(found('<b>Wheat</b>. For allergens, see ingredients in <b>bold</b>.')).toEqual(['wheat']);
  });
});
