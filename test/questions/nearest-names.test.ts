import { expect, test } from 'vitest';
import { nearestNames } from '../../src/questions/nearest-names.ts';

const names = ['Breakfast Cereals', 'Dairy', 'Milk', 'Bread', 'Frozen', 'Milk'];

test('names what looks most like a word, each once and the nearest first', () => {
  expect(nearestNames('cereals', names)).toEqual(['Breakfast Cereals']);
  expect(nearestNames('miilk', names)).toEqual(['Milk']);
  expect(nearestNames('wine', names)).toEqual([]);
});
