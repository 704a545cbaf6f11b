import { describe, expect, it } from 'vitest';
import { packSizeFromList } from '../../src/source/normalise/pack-list.ts';

describe('packSizeFromList', () => {
  const list = (value: unknown, units: string) => [{ value, units }];

  it.each([
    [list('1750', 'ML'), { size: '1750', measure: 'ml', count: null }],
    [list('0.1', 'kg'), { size: '100', measure: 'g', count: null }],
    [list('0,75', 'L'), { size: '750', measure: 'ml', count: null }],
    [list('6', 'SNGL'), { size: '6', measure: 'each', count: 6 }],
    [[...list(4, 'SNGL'), ...list('88', 'G')], { size: '88', measure: 'g', count: 4 }],
    [[{ value: null, units: 'SNGL' }], null],
    [[null, 5, {}, { value: 'x', units: 'G' }, { value: '0', units: 'G' }], null],
    [list('1', 'acre'), null],
    [list('1,000', 'G'), { size: '1000', measure: 'g', count: null }],
    [list('1,136', 'L'), { size: '1136', measure: 'ml', count: null }],
    [null, null],
  ])('reads %j', (packSize, expected) => {
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
