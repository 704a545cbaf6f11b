import { describe, expect, it } from 'vitest';
import { packSizeFromList } from '../../src/source/normalise/pack-list.ts';
import cases from './pack-list.json' with { type: 'json' };

describe('packSizeFromList', () => {
  const list = (value: unknown, units: string) => [{ value, units }];

  // A row of pack-list.json: a list as received, and its content; null: none.
  it.each(cases as [unknown, object | null][])('reads %j', (packSize, expected) => {
    expect(packSizeFromList(packSize)).toEqual(expected);
  });

  it.each(['M', 'MM', 'METRE', 'MG', 'LB', 'PACK', 'PAIR', 'KIT', 'GALLON', 'OZ'])(
    'does not read %j as a measure with the same first letters: ten metres of foil are not 10 ml',
    (units) => {
      expect(packSizeFromList(list('10', units))).toBeNull();
    },
  );

  it('ignores an implausible size such as 400 kg', () => {
    expect(packSizeFromList(list('400', 'KG'))).toBeNull();
    expect(packSizeFromList(list('20', 'KG'))?.size).toBe('20000');
  });
});
