import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSizeFromTitle, readPackTitle } from '../../src/source/normalise/pack-title.ts';

describe('packSizeFromTitle', () => {
  it.each([
    ['Invented Ale 4X330ml', '1320', 'ml', 4],
    ['Invented Yoghurt 9x37g', '333', 'g', 9],
    ['Invented Water 6 X 500 Ml', '3000', 'ml', 6],
    ['Invented Water 6 X 1.5 Ltrs', '9000', 'ml', 6],
    ['Invented Cola 2 Litre', '2000', 'ml', null],
    ['Invented Rolls 8 Pack', '8', 'each', 8],
    ['Invented Wine 75Cl', '750', 'ml', null],
    ['Invented Milk 2.272L, 4 Pints', '2272', 'ml', null],
    ['Invented Milk 6 Pint', '3408', 'ml', null],
    ['Invented Milk 2,8% 1 l', '1000', 'ml', null],
    ['Invented Avocados Twin Pack', '2', 'each', 2],
    ['Invented Stout 4 Cans x 440ml', '1760', 'ml', 4],
    ['Invented Juice 2 x 4 x 100ml', '800', 'ml', 8],
    ['Pierogi wymyślone 4 x 100 g (400 g)', '400', 'g', 4],
    ['Invented Lollies 284g (4x70ml)', '280', 'ml', 4],
    ['Invented Conditioner 284ml/300g', '284', 'ml', null],
    ['Invented Tea 40 Tea Bags', '40', 'each', 40],
    ['Invented Tea 40 Teabags 125g', '125', 'g', 40],
    ['Invented Tea 80S', '80', 'each', 80],
    ['Invented Nappies Size 4 8-14kg x 58', '58', 'each', 58],
    ['Invented Nappies Size 4 x 58', '58', 'each', 58],
    ['Invented Chicken Fillets 5-6 pieces 1kg', '1000', 'g', null],
    ['Invented Steak 16oz / 454g', '454', 'g', null],
    ['Invented Cola 12fl oz/355ml', '355', 'ml', null],
    ['Invented Mini Lollies 6 Pack 480ml', '480', 'ml', 6],
    ['Invented Nappies Size 4 - 44 Nappies', '44', 'each', 44],
    ['Invented Razor3 Blades3 x 8', '8', 'each', 8],
    ['Invented Cake Slices X6', '6', 'each', 6],
    ['Invented Eggs Box of 6', '6', 'each', 6],
    ['Invented Pepper Each', '1', 'each', 1],
    ['Invented Flour 1,000g', '1000', 'g', null],
    ['Invented Milk 1,136 l', '1136', 'ml', null],
    ['Invented Chickpeas 400g (240g drained)', '400', 'g', null],
    ['Invented Tuna 145G Drained Weight 102G', '145', 'g', null],
    ['Invented Bar 20g Protein 60g', '60', 'g', null],
    ['Invented Sauce 500G/Ml', '500', 'g', null],
    ['Invented Olives920g', '920', 'g', null],
    ['Invented Nappies Size 4 9-14kg 40 Pack', '40', 'each', 40],
    ['Invented Gravy 250G Makes 3.1L', '250', 'g', null],
    ['Invented Tomatoes 400G 240G Drained', '400', 'g', null],
    ['Invented Bin Bags 50L 20 Pack', '20', 'each', 20],
    ['Invented Zip Food Bags 1L 25 Bags', '25', 'each', 25],
    ['Invented Party Cups 50 Pack 200ml', '50', 'each', 50],
    ['Invented Tumblers 400ml 4 Pack', '4', 'each', 4],
    ['Invented Compost 40L Bag', '40000', 'ml', null],
    ['Invented Mug Noodles 55g', '55', 'g', null],
    ['Invented Gin 3X5cl & Tumbler', '150', 'ml', 3],
    ['Invented Gin Tumbler Gift Set 70cl', '700', 'ml', null],
    ['Invented Wipes 4 X 60 Wipes', '240', 'each', 240],
    ['Invented Toilet Roll 9 Rolls 240 Sheets', '9', 'each', 9],
    ['Invented Cola 330ml (Pack of 24)', '7920', 'ml', 24],
    ['Invented Sachets 124G (8*15.5G)', '124', 'g', 8],
    ['Invented Pineapple In Juice 432G (260g*)', '432', 'g', null],
    ['Invented Sweetcorn 3x200g (3 x 165g Drained)', '600', 'g', 3],
    ['Invented Tuna 4 x 145g Drained Weight 4 x 102g', '580', 'g', 4],
    ['Invented Tissues Twin Box 2X64 Sheets', '128', 'each', 128],
    ['Invented Cakes 2x6 Pack', '12', 'each', 12],
  ])('reads %j', (title, size, measure, count) => {
    expect(packSizeFromTitle(title)).toEqual({ size, measure, count });
  });

  it.each(['\u00a0', '\u202f', '\u2009', '\u3000', '\u200b', ' \u00a0', '  ', '\t'])(
    'accepts any kind of space: %j',
    (space) => {
      for (const title of [
        'Invented Water 6 X 500 Ml',
        'Invented Rolls 8 Pack',
        'Pierogi 4 x 100 g (400 g)',
        'Cake Slices X6',
      ]) {
        expect(readPackTitle(title.replaceAll(' ', space))).toEqual(readPackTitle(title));
      }
    },
  );

  it('reads a content before the number of packs as that of one piece, and one after it as the total', () => {
    expect(packSizeFromTitle('Invented Bar Multipack 40g 4 Pack')).toEqual({ size: '160', measure: 'g', count: 4 });
    expect(packSizeFromTitle('Invented Chews 4 Pack 88G')).toEqual({ size: '88', measure: 'g', count: 4 });
    expect(packSizeFromTitle('Invented Gum 64g 46 Pieces')).toEqual({ size: '64', measure: 'g', count: 46 });
    expect(packSizeFromTitle('Invented Desserts 85g x 6 Pack')).toEqual({ size: '510', measure: 'g', count: 6 });
  });

  it.each([
    'Invented Chicken 1.9Kg - 2.3Kg',
    'Invented Joint 1.0-1.2Kg',
    'Invented Turkey typically 4.2kg',
    'Invented Ham Approx (1.2Kg)',
    'Invented Pork Typical Weight: 1.25Kg',
    'Invented Chicken 1.4Kg Approx.',
    'Invented Joint Up To 1.5kg',
  ])('gives no size for a range or an approximate weight: %j', (title) => {
    expect(packSizeFromTitle(title)).toBeNull();
  });

  it.each([
    'Invented Wipes 12 x 64',
    'Invented Burgers 4 x 4oz/454g',
    'Invented Cider 18 Pack 440ml',
    'Invented Gin 70cl + 2 Tonic 150ml',
    'Invented Gin 70cl + 2 x 150ml Tonic',
  ])('gives no size for an ambiguous text: %j', (title) => {
    expect(packSizeFromTitle(title)).toBeNull();
  });

  it.each([
    'Invented Bananas Loose',
    '100% Juice',
    '',
    'Size 4 Nappies',
    'Invented Tea 102.5g + 35ml',
    'Invented Shampoo 400ml & Conditioner 400ml',
    'Invented Cheese £2 per 100g',
    'Invented Cream 1/2 Pint',
    'Best of the 80s Mix',
    'Vitamin C 1000mg',
    'Invented Batteries 4+2 Pack',
    'Invented Tissue 9 = 18 Rolls',
    'Invented Kettle 1.7L',
  ])('finds no size in %j', (title) => {
    expect(packSizeFromTitle(title)).toBeNull();
  });

  it('multiplies pieces and content of any multipack, in either order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.constantFrom('x', 'X', ' x ', ' × '),
        (count, size, times) => {
          const expected = { size: String(count * size), measure: 'ml', count };
          expect(packSizeFromTitle(`Thing ${count}${times}${size}ml`)).toEqual(expected);
          expect(packSizeFromTitle(`Thing ${size}ml${times}${count}`)).toEqual(expected);
        },
      ),
    );
  });

  it('never counts more pieces than a row can hold, however they are multiplied', () => {
    const counts = fc.integer({ min: 1, max: 99_999 });
    const ends = fc.constantFrom('5g', '5 Pack', '5 Wipes', '100 x 9999 Sheets', '100 Pack');
    fc.assert(
      fc.property(counts, counts, ends, (one, other, end) => {
        expect(packSizeFromTitle(`Thing ${one} x ${other} x ${end}`)?.count ?? 0).toBeLessThanOrEqual(9_999);
      }),
    );
    expect(packSizeFromTitle('Thing 99 x 999 x 5g')).toBeNull();
    expect(packSizeFromTitle('Thing 99 x 9999 Sheets')).toBeNull();
  });
});

describe('the name of a product without its size', () => {
  it('is the same for every notation of the size', () => {
    const sizes = ['500g', '450G', '0.45 kg', '4x125g', '4 x 100 g (400 g)', '500g (300g drained)', ''];
    for (const size of sizes)
      expect(readPackTitle(`Northfold Crème Beans, ${size} Tomato`).name).toBe('northfold creme beans tomato');
  });

  it('keeps numbers that are not sizes', () => {
    expect(readPackTitle("Northfold 7 Up 5% O'Dowd's 330ml").name).toBe('northfold 7 up 5 odowds');
  });

  it('keeps the volume of a bag, which is not the size of the pack', () => {
    expect(readPackTitle('Northfold Bin Liners 30L 20 Pack').name).toBe('northfold bin liners 30 l');
    expect(readPackTitle('Northfold Bin Liners 50L 20 Pack').name).toBe('northfold bin liners 50 l');
  });
});
