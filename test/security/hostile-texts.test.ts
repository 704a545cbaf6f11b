import { describe, expect, test } from 'vitest';
import { instantOf } from '../../src/source/endpoints/product-promotions.ts';
import { normaliseGtin, normaliseTpnb } from '../../src/source/normalise/barcode.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { readImageUrl } from '../../src/source/normalise/image.ts';
import { readAllergens, readIngredients } from '../../src/source/normalise/ingredients.ts';
import { parseMoney } from '../../src/source/normalise/money.ts';
import { readNutrition } from '../../src/source/normalise/nutrition.ts';
import { packSizeFromList } from '../../src/source/normalise/pack-list.ts';
import { readPackTitle } from '../../src/source/normalise/pack-title.ts';
import { productIdFrom } from '../../src/source/normalise/product-id.ts';
import { readPromotionText } from '../../src/source/normalise/promotion-text.ts';
import { readLabel, readProse, readTitle } from '../../src/source/normalise/text.ts';
import { normaliseUnitPrice } from '../../src/source/normalise/unit-price.ts';

/** Every function that parses foreign texts. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  readTitle,
  readLabel,
  readProse,
  parseMoney,
  readPromotionText: (text) => readPromotionText(text, 'CLUBCARD_PRICING', 'GBP'),
  instantOf,
  normaliseUnitPrice: (text) => [normaliseUnitPrice(text, text), normaliseUnitPrice('1', text)],
  packSizeInTitle: readPackTitle,
  packSizeInList: (text) => packSizeFromList([{ value: text, units: text }, text]),
  nutritionRow: (text) => readNutrition([[text, text, text]]),
  nutritionNamed: (text) => readNutrition([{ name: text, perComp: text, perServing: text }]),
  nutritionCells: (text) =>
    readNutrition([
      { name: 'Typical Values', perComp: `Per ${text}`, perServing: text },
      { name: 'Energy', perComp: text, perServing: text },
      { name: `Fat ${text}`, perComp: `1${text}`, perServing: `<0.1${text}` },
    ]),
  ingredients: (text) => readIngredients([text, text]),
  allergens: (text) => readAllergens([{ name: text, values: [text] }], [text]),
  productIdFrom,
  normaliseGtin,
  normaliseTpnb,
  readImageUrl,
  decodeCategoryId,
};

/** Parts that hostile texts repeat; those of a line are separated by |. */
const parts = [
  ...`a|0|1|9.|.|,|-|/|%|(|()|[|*|:|é|<|<b|<b>|</b>|< p>|<strong>|</b|<b x|<!--|&|&#|&amp;|🍺|"|'|£|€1|£1,`.split('|'),
  ...'1p| for |2 for £|clubcard| - |.5|any 2 |save |1/|per |£1 per kg |4x|4 x 330ml |1g|kg |kJ|1 kJ/'.split('|'),
  ...'Clubcard Price |contains |http://a/|00:00|2026-03-01T|b;QQ==|QQ|=|Ã©|×|½'.split('|'),
  ...[' ', '\t', '\n', '\u00a0', 'e\u0301', '\u0000', '\ud800', '\\'],
];

describe('a text of 100 KB', () => {
  test.each(Object.entries(readers))('%s takes little time, whatever the text repeats', (_, read) => {
    for (const part of parts) {
      const text = part.repeat(Math.ceil(100_000 / part.length));
      for (const hostile of [text, `${text}!`, `£1 ${text}`]) {
        // The processor's time, not the clock's: other tests run at the same moment.
        const before = process.cpuUsage();
        read(hostile);
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1_000, `milliseconds for ${JSON.stringify(part)}`).toBeLessThan(500);
      }
    }
  });
});

describe('a text that is the name of an inherited property', () => {
  const shapes = [
    (word: string) => word,
    (word: string) => `1 ${word}`,
    (word: string) => `1${word}`,
    (word: string) => `£1 per ${word}`,
    (word: string) => `£1.00/${word}`,
    (word: string) => `${word} 5g`,
    (word: string) => `&${word};`,
    (word: string) => `Any 2 for £3 ${word}`,
    (word: string) => `Per ${word}`,
  ];
  const told = (value: unknown, word: string) =>
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'function' ? 'a function' : inner))?.replaceAll(
      new RegExp(`_*${word.replaceAll('_', '')}_*`, 'gi'),
      'WORD',
    );

  test.each(Object.entries(readers))('the name of an inherited property is an ordinary word to %s', (_, read) => {
    for (const name of ['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']) {
      for (const shape of shapes) {
        // As long, and no word of any unit.
        const stranger = name.startsWith('_') ? '__qwqwq__' : 'qwxzqwxzqwxzqwxz'.slice(0, name.length);
        expect(told(read(shape(name)), name), shape(name)).toEqual(told(read(shape(stranger)), stranger));
      }
    }
  });
});
