import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNutrition } from '../../src/source/normalise/nutrition.ts';

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
  it.each([
    ['Per 100g', '100g'],
    ['per 100 ml:', '100ml'],
    ['100g contains', '100g'],
    ['(as sold) per 100g', '100g'],
    ['Per 1/2 pack', 'serving'],
    ['Per serving (30g)', 'serving'],
    ['per 250ml glass', 'serving'],
    ['Per pack', 'pack'],
    ['Per 100g as prepared', '100g prepared'],
    ['Grilled per 100g', '100g prepared'],
    ['Per daily dose (2 tablets)', 'serving'],
    ['Something', 'unknown'],
  ])('%j gives the basis of the amounts', (heading, basis) => {
    expect(read(row('Typical Values', heading), row('Fat', '2g'))).toEqual([`fat ${basis} 2 g`]);
  });

  it('names each column, and columns of intake percentages hold no amounts', () => {
    expect(read(row('Typical Values', 'Per 1/2 pack', '% RI', 'Per 100g'), row('Fat', '2g', '3%', '1g'))).toEqual([
      'fat serving 2 g',
      'fat 100g 1 g',
    ]);
  });

  it.each(['%RI*', 'Reference Intake', "Adult's Daily Amount", 'GDA'])(
    'treats %j as a column of reference intakes',
    (heading) => {
      expect(read(row('Typical Values', 'Per 100g', heading), row('Fat', '2g', '70g'))).toEqual(['fat 100g 2 g']);
    },
  );

  it('uses the first of two columns with the same basis', () => {
    expect(
      read(
        row('Typical Values', 'Per 100g', 'Per 100g (grilled)', '100g contains'),
        row('Fat', '2g', '3g', '4g'),
        row('Salt', null, null, '1g'),
      ),
    ).toEqual(['fat 100g 2 g', 'fat 100g prepared 3 g']);
  });

  it('is not assumed if it is missing', () => {
    expect(read(row('Fat', '2g'))).toEqual(['fat unknown 2 g']);
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
    ).toEqual(['fat 100g 2 g', 'fat pack 4 g']);
    expect(read(named('Fat', '2g', '4g'))).toEqual(['fat unknown 2 g', 'fat serving 4 g']);
  });
});

describe('energy', () => {
  const both = ['energy-kj 100g 1506 kJ', 'energy-kcal 100g 360 kcal'];

  it.each([
    '1506kJ/360kcal',
    '1506kJ / 360kcal',
    '1,506 kJ/360 kcal',
    '1506/360 kJ/kcal',
    '1506kJ (360kcal)',
    '1506/360',
    '1506 kJ 360 kcal',
  ])('is read from %j', (cell) => {
    expect(read(per100g, row('Energy', cell))).toEqual(both);
  });

  it('is read in the other order, in two rows, and by the name of the row', () => {
    expect(read(per100g, row('Energy', '360kcal/1506kJ')).sort()).toEqual([...both].sort());
    expect(read(per100g, row('Energy', '1506kJ/'), row('-', '360kcal'))).toEqual(both);
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

  it('is kept without a unit when kJ and kcal contradict each other', () => {
    expect(read(per100g, row('Energy', '1506kJ/36kcal'))).toEqual([
      'energy-kj 100g 1506 unknown',
      'energy-kcal 100g 36 unknown',
    ]);
  });

  it('is parsed from every printed form', () => {
    const print = fc.constantFrom(
      (kj: number, kcal: number) => `${kj}kJ/${kcal}kcal`,
      (kj: number, kcal: number) => `${kcal}kcal/${kj}kJ`,
      (kj: number, kcal: number) => `${kj} kJ / ${kcal} kcal`,
      (kj: number, kcal: number) => `${kj}/${kcal} kJ/kcal`,
      (kj: number, kcal: number) => `${kj.toLocaleString('en-GB')}kJ (${kcal}kcal)`,
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 899 }), print, (kcal, printed) => {
        const kj = Math.round(kcal * 4.184);
        expect(read(per100g, row('Energy', printed(kj, kcal))).sort()).toEqual(
          [`energy-kj 100g ${kj} kJ`, `energy-kcal 100g ${kcal} kcal`].sort(),
        );
      }),
    );
  });
});

describe('amounts', () => {
  it.each([
    ['<0.5g', '<0.5 g'],
    ['< 0.01 g', '<0.01 g'],
    ['less than 0.5g', '<0.5 g'],
    ['trace', '<0.5 g'],
    ['12,5 g', '12.5 g'],
    ['3.4 g*', '3.4 g'],
    ['780mg (=98% NRV*)', '780 mg'],
    ['1.1 µg (22%**)', '1.1 µg'],
    ['22.5 μg', '22.5 µg'],
    ['5 mcg', '5 µg'],
    ['2.0', '2 unknown'],
    ['0g', '0 g'],
    ['Nil', '0 g'],
    ['&lt;0.5g', '<0.5 g'],
    ['0.5g or less', '<0.5 g'],
    ['.5g', '0.5 g'],
    ['0.5 g/12%', '0.5 g'],
    ['3.4 g 6%', '3.4 g'],
    ['1,250mg (156%**)', '1250 mg'],
    ['1,250 µg', '1250 µg'],
    ['1,2 mg', '1.2 mg'],
    ['0,125mg', '0.125 mg'],
  ])('%j is %s', (cell, expected) => {
    expect(read(per100g, row('Protein', cell))).toEqual([`protein 100g ${expected}`]);
  });

  it.each([
    '-',
    '',
    'null / null',
    'null',
    'n/a',
    '10%',
    'see pack',
    '0.5-1g',
    '1.2.3g',
    '4 .2g',
    '4. 2g',
    '4 2g',
    '3 g-5g',
  ])('%j is not an amount', (cell) => {
    expect(read(per100g, row('Protein', cell))).toEqual([]);
  });

  it('take their unit from the name of the row if the cell has none', () => {
    expect(read(per100g, row('Fat (g)', '2'), row('Calcium mg', '120'))).toEqual([
      'fat 100g 2 g',
      'calcium 100g 120 mg',
    ]);
  });

  it('keep the cell as printed', () => {
    expect(readNutrition([per100g, row('Sugars', ' 3.4 g* ')])[0]?.printed).toBe('3.4 g*');
  });
});

describe('names of nutrients', () => {
  it.each([
    ['of which saturates', 'saturates'],
    ['(of which saturates)', 'saturates'],
    ['- Saturates', 'saturates'],
    ['Sturates', 'saturates'],
    ['Saturated fat', 'saturates'],
    ['Sat Fat', 'saturates'],
    ['which saturates', 'saturates'],
    ['Fat, total', 'fat'],
    ['Salt eq.', 'salt'],
    ['Protien', 'protein'],
    ['Available Carbohydrate', 'carbohydrate'],
    ['Total Carbohydrate', 'carbohydrate'],
    ['sugars', 'sugars'],
    ['of which: sugars', 'sugars'],
    ['Fiber', 'fibre'],
    ['Dietary Fibre', 'fibre'],
    ['Salt equivalent', 'salt'],
    ['Salt (equivalent)', 'salt'],
    ['FAT', 'fat'],
    ['Vitamin B12', 'vitamin-b12'],
    ['of which mono-unsaturates', 'mono-unsaturates'],
  ])('%j is %s', (name, nutrient) => {
    expect(read(per100g, row(name, '2g'))).toEqual([`${nutrient} 100g 2 g`]);
  });

  it.each([
    '* Reference intake of an average adult (8400 kJ / 2000 kcal)',
    'As sold',
    'This pack contains 45 servings',
    '**Of the Nutrient Reference Value',
    '*Natural sugars',
    '',
  ])('the footnote %j is not a nutrient', (name) => {
    expect(read(per100g, row(name, '2g'))).toEqual([]);
  });

  it('salt is computed from sodium unless the table contains it', () => {
    expect(read(per100g, row('Sodium', '400mg'))).toEqual(['sodium 100g 400 mg', 'salt 100g 1 g']);
    expect(read(per100g, row('Sodium', '0.4g'), row('Salt', '1.1g'))).toEqual(['sodium 100g 0.4 g', 'salt 100g 1.1 g']);
  });
});

describe('readNutrition', () => {
  it('returns nothing for null, empty lists and invalid input', () => {
    for (const table of [null, undefined, [], {}, 'x', [null, 5, {}, { name: 5 }]])
      expect(readNutrition(table)).toEqual([]);
  });

  it('never throws, and never repeats a nutrient of one basis', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('1506kJ/360kcal', '2g', null, '-', '<0.5g', 'Per 100g'));
    const name = fc.oneof(fc.string(), fc.constantFrom('Energy', '-', 'Fat', 'Typical Values', 'Sodium', 'Salt'));
    const rows = fc.array(
      fc.oneof(
        fc.anything(),
        fc.record({ name, value1: cell, value2: cell, perComp: cell }, { requiredKeys: ['name'] }),
      ),
    );
    fc.assert(
      fc.property(rows, (table) => {
        const keys = readNutrition(table).map(({ nutrient, basis }) => `${nutrient}|${basis}`);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

it('reads rows of kcals, international units and upper bounds however they are printed', () => {
  const values = readNutrition([
    { name: 'Typical Values', perComp: 'Per 100g' },
    { name: 'kcals', perComp: '152' },
    { name: 'Vitamin D', perComp: '200 IU' },
    { name: 'Salt', perComp: '<=0.1g' },
    { name: 'Sugars', perComp: '≤0.5g' },
  ]);
  expect(values.map(({ nutrient, amount, unit, isUpperBound }) => [nutrient, amount, unit, isUpperBound])).toEqual([
    ['energy-kcal', '152', 'kcal', false],
    ['vitamin-d', '200', 'IU', false],
    ['salt', '0.1', 'g', true],
    ['sugars', '0.5', 'g', true],
  ]);
});
