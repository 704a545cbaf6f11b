import { hash, pick } from './hash.ts';
import type { Product } from './product.ts';

/** The `details` of a product: ingredients with markup, allergens, nutrition in one of two forms, sizes. */
export function factsOf(product: Product) {
  const { leaf, article, attributes } = product;
  const { made } = article.goods;
  const draw = hash(attributes, 901);
  const common = {
    guidelineDailyAmount: null,
    otherNutritionInformation: null,
    packSize: packSize(product, draw),
    storage: made === null ? [] : [storageOf(leaf)],
  };
  if (made === null)
    return {
      ingredients: draw % 2 === 0 ? null : [],
      allergenInfo: [],
      nutritionInfo: draw % 3 === 0 ? null : [],
      ...common,
    };

  const { ingredients, allergens } = recipe(made, attributes);
  return {
    ingredients: draw % 4 === 0 ? ingredients.join(', ') : ingredients,
    // Some products have allergens only in bold ingredients.
    allergenInfo: draw % 5 === 0 || allergens.length === 0 ? [] : [{ name: 'Contains', values: allergens }],
    ...nutrition(attributes, draw),
    ...common,
  };
}

/** Storage by department. */
function storageOf({ path }: Product['leaf']): string {
  const [root = '', department = ''] = path.map(({ name }) => name);
  if (root === 'Frozen') return 'Keep frozen at -18°C or cooler.';
  if (root === 'Fresh Food' && !/^Fresh (Fruit|Vegetables)$/.test(department))
    return 'Keep refrigerated. Once opened, consume within 3 days.';
  return 'Store in a cool, dry place.';
}

/** Ingredients that many recipes have in small amounts, by the first ones: beer has none, soft drinks have no salt. */
const additions: readonly (readonly [made: RegExp, added: readonly string[]])[] = [
  [/Hops/, []],
  [/Water, (Sugar|Sweetener)/, ['Natural Flavouring']],
  [/Sugar|Syrup/, ['Salt', 'Natural Flavouring']],
  [/^/, ['Salt', 'Sugar', 'Acidity Regulator (Citric Acid)', 'Rapeseed Oil']],
];

const allergens = 'Wheat Milk Egg Barley Oats Soya Peanuts Fish Crustaceans Sulphites'.split(' ');

function recipe(made: readonly string[], attributes: number): { ingredients: string[]; allergens: string[] } {
  const draw = hash(attributes, 911);
  // What is made of one thing has nothing added.
  const fitting = made.length < 3 ? [] : additions.find(([first]) => first.test(made.join(', ')))![1];
  const added = fitting.filter((text, n) => (draw >>> n) % 2 === 0 && !made.includes(text));
  return {
    // Split at the commas of one paragraph.
    ingredients: `<p>${[...made, ...added].join(', ')}</p>`.split(', '),
    allergens: allergens.filter((name) => made.some((text) => text.toLowerCase().includes(name.toLowerCase()))),
  };
}

/** 15% of foods have no table; the others have one of two forms and various spellings. */
function nutrition(attributes: number, draw: number) {
  if (draw % 100 < 15) return draw % 2 === 0 ? { nutritionInfo: [] } : { nutrition: [] };
  const rows = table(attributes, draw);
  if (draw % 3 === 0) {
    return { nutrition: rows.map(([name, value1, value2]) => ({ name, value1, value2, value3: null })) };
  }
  return {
    nutritionInfo: rows.map(([name, perComp, perServing]) => ({
      name,
      perComp,
      perServing,
      referenceIntake: null,
      referencePercentage: null,
    })),
  };
}

type Row = readonly [name: string, per100: string | null, perServing: string | null];

function table(attributes: number, draw: number): readonly Row[] {
  const tenths = (salt: number, most: number) => hash(attributes, salt) % (most * 10);
  const fat = tenths(921, 30);
  const carbohydrate = tenths(922, 60);
  const protein = tenths(923, 25);
  const kcal = Math.round((fat * 9 + (carbohydrate + protein) * 4) / 10);
  const kj = Math.round(kcal * 4.184);
  const row = (name: string, tenth: number): Row => [name, `${tenth / 10}g`, `${Math.round(tenth * 0.3) / 10}g`];

  return [
    ['Typical Values', pick(['Per 100g', 'per 100 g:', '100g contains'], draw), 'Per 30g serving'],
    ...energy(kj, kcal, draw),
    row('Fat', fat),
    row(pick(['of which saturates', '(of which saturates)', '- Saturates', 'Saturates'], draw), fat >> 1),
    row(pick(['Carbohydrate', 'Available Carbohydrate'], draw), carbohydrate),
    row(pick(['of which sugars', 'Sugars'], draw), carbohydrate >> 2),
    ['Fibre', draw % 6 === 0 ? '<0.5g' : `${tenths(924, 9) / 10}g`, draw % 6 === 0 ? '<0.5g' : null],
    row(pick(['Protein', 'Protien'], draw >>> 4), protein),
    ['Salt', draw % 7 === 0 ? 'trace' : `${tenths(925, 3) / 10}g`, null],
    ...(draw % 4 === 0 ? ([['* Reference intake of an average adult (8400 kJ / 2000 kcal)', '-', null]] as const) : []),
  ];
}

function energy(kj: number, kcal: number, draw: number): readonly Row[] {
  const serving = `${Math.round(kj * 0.3)}kJ / ${Math.round(kcal * 0.3)}kcal`;
  const both = [`${kj}kJ/${kcal}kcal`, `${kcal}kcal/${kj}kJ`, `${kj}kJ / ${kcal}kcal`][draw % 5];
  if (both) return [['Energy', both, serving]];
  const isOne = draw % 5 === 3;
  return [
    [isOne ? 'Energy' : 'Energy (KJ)', isOne ? `${kj}kJ/` : String(kj), null],
    [isOne ? '-' : 'Energy (KCAL)', isOne ? `${kcal}kcal` : String(kcal), null],
  ];
}

function packSize({ pack, article }: Product, draw: number) {
  if (article.goods.kind === 'loose') return null;
  if (pack.unit === 'each') return [{ value: pack.count === 1 ? null : String(pack.count), units: 'SNGL' }];
  const isLarge = pack.amount >= 1000 && draw % 2 === 0;
  const units = pack.unit === 'g' ? (isLarge ? 'KG' : 'G') : isLarge ? 'L' : 'ML';
  return [{ value: String(isLarge ? pack.amount / 1000 : pack.amount), units }];
}
