import { describe, expect, it } from 'vitest';
import { readNutrition } from '../../src/source/normalise/nutrition.ts';
import cases from './nutrition.json' with { type: 'json' };

// Rows of nutrition.json: the printed text and what it is read as; `others` are names of no nutrient.

type Cell = string | null;
const row = (name: string, ...values: Cell[]) => ({
  name,
  value1: values[0] ?? null,
  value2: values[1] ?? null,
  value3: values[2] ?? null,
});

/** `nutrient basis amount unit`, with `<` for an upper bound. */
function read(...rows: unknown[]): string[] {
  return readNutrition(rows).map(
    ({ nutrient, basis, amount, unit, isUpperBound }) =>
      `${nutrient} ${basis} ${isUpperBound ? '<' : ''}${amount} ${unit}`,
  );
}

const per100g = row('Typical Values', 'Per 100g');

describe('the header of a nutrition table', () => {
  it.each(cases.headings)('%j gives the basis of the amounts', (heading, basis) => {
    expect(read(row('Typical Values', heading), row('Fat', '2g'))).toEqual([`fat ${basis} 2 g`]);
  });

  it('names each column, and columns of intake percentages hold no amounts', () => {
    expect(read(row('Typical Values', 'Per 1/2 pack', '% RI', 'Per 100g'), row('Fat', '2g', '3%', '1g'))).toEqual([
      'fat Per 1/2 pack 2 g',
      'fat 100g 1 g',
    ]);
  });

  it.each(['%RI*', 'Reference Intake', "Adult's Daily Amount", 'GDA'])('%j heads reference intakes', (heading) => {
    expect(read(row('Typical Values', 'Per 100g', heading), row('Fat', '2g', '70g'))).toEqual(['fat 100g 2 g']);
  });

  it('uses the first of two columns with the same basis', () => {
    expect(
      read(
        row('Typical Values', 'Per 100g', 'Per 100g (grilled)', '100g contains'),
        row('Fat', '2g', '3g', '4g'),
        row('Salt', null, null, '1g'),
      ),
    ).toEqual(['fat 100g 2 g', 'fat Per 100g (grilled) 3 g']);
  });

  it('is found in the other form of the table too', () => {
    const named = (name: string, perComp: Cell, perServing: Cell) => ({
      name,
      perComp,
      perServing,
      referenceIntake: '70g',
      referencePercentage: '3%',
    });
    expect(
      read(named('Typical Values', 'Per 100g', 'Per pack'), named('Fat', '2g', '4g'), named('Salt', '', 'null / null')),
    ).toEqual(['fat 100g 2 g', 'fat Per pack 4 g']);
  });
});

describe('energy', () => {
  const both = ['energy-kj 100g 1506 kJ', 'energy-kcal 100g 360 kcal'];

  it('is read in the other order, in two rows, and by the name of the row', () => {
    expect(read(per100g, row('Energy', '360kcal/1506kJ')).sort()).toEqual([...both].sort());
    expect(read(per100g, row('Energy', '1506kJ/'), row('-', '360kcal'))).toEqual(both);
    expect(read(per100g, row('kcals', '152'))).toEqual(['energy-kcal 100g 152 kcal']);
    expect(read(per100g, row('Energy (kJ)', '1506'), row('Energy (KCAL)', '360'))).toEqual(both);
    expect(read(per100g, row('Energy kJ', '1506', null), row('Energy kcal', '360'))).toEqual(both);
  });

  it('ignores shares of the reference intake', () => {
    expect(read(per100g, row('Energy', '824 kJ (10%*)'))).toEqual(['energy-kj 100g 824 kJ']);
  });

  it('is not combined from two numbers', () => {
    expect(read(per100g, row('Energy (kcal)', '1506360'))).toEqual([]);
    expect(read(per100g, row('Energy', '360'))).toEqual([]);
  });
});

describe('amounts', () => {
  it.each(cases.amounts)('%j is %s', (cell, expected) => {
    expect(read(per100g, row('Protein', cell))).toEqual([`protein 100g ${expected}`]);
  });

  it.each(['-', '', 'null / null', 'trace', '5 mcg', '10%', 'see pack', '0.5-1g', '1.2.3g', '4 2g', '3 g-5g'])(
    '%j is not an amount',
    (cell) => {
      expect(read(per100g, row('Protein', cell))).toEqual([]);
    },
  );

  it('take their unit from the name of the row if the cell has none', () => {
    expect(read(per100g, row('Fat (g)', '2'), row('Salt mg', '120'))).toEqual(['fat 100g 2 g', 'salt 100g 120 mg']);
  });

  it('keep the cell as printed', () => {
    expect(readNutrition([per100g, row('Sugars', ' 3.4 g* ')])[0]?.printed).toBe('3.4 g*');
  });
});

describe('names of nutrients', () => {
  it.each(cases.names)('%j is %s', (name, nutrient) => {
    expect(read(per100g, row(name, '2g'))).toEqual([`${nutrient} 100g 2 g`]);
  });

  it.each(cases.others)('%j is none of the nutrients', (name) => {
    expect(read(per100g, row(name, '2g'))).toEqual([]);
  });
});

it('a value that is no table has no nutrients', () => {
  for (const table of [null, undefined, [], {}, 'x', [null, 5, {}, { name: 5 }]])
    expect(readNutrition(table)).toEqual([]);
});
