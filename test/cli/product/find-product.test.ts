import { expect, test } from 'vitest';
import { UsageInvalid } from '../../../src/base/errors.ts';
import { readWanted } from '../../../src/cli/product/find-product.ts';

test.each([
  ['330659955', { kind: 'id', id: '330659955' }],
  ['https://shop.example/groceries/en-GB/products/330659955', { kind: 'address', id: '330659955' }],
  ['https://shop.example/groceries/en-GB/products/330659955/?from=search#top', { kind: 'address', id: '330659955' }],
  ['whole  milk', { kind: 'words', words: ['whole', 'milk'] }],
  ['100% juice', { kind: 'words', words: ['100%', 'juice'] }],
])('%s', (text, wanted) => {
  expect(readWanted('uk', [text])).toEqual(wanted);
});

test.each(['', 'https://', 'https://shop.example/groceries', 'https://shop.example/en-IE/products/1'])(
  'no product of the region: "%s"',
  (text) => {
    expect(() => readWanted('uk', [text])).toThrow(UsageInvalid);
  },
);
