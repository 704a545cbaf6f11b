import type { JSX } from 'preact';
import paths from './icons.json' with { type: 'json' };

/** Names of line drawings on a grid of 24. */
type IconName = keyof typeof paths;

const fresh = /fresh|fruit|veg|meat|fish|dairy|chilled/i;

/** Icons by words of the department and of the product; the first match wins. */
const icons: readonly (readonly [department: RegExp, icon: IconName, product?: RegExp])[] = [
  [fresh, 'egg', /\beggs?\b/i],
  [fresh, 'fish', /fish|salmon|tuna|cod\b|haddock|mackerel|prawn|trout|pollock|sea bass/i],
  [fresh, 'meat', /beef|pork|chicken|lamb|turkey|bacon|sausage|\bham\b|mince|steak|gammon|burger|salami|chorizo/i],
  [fresh, 'cheese', /chees|cheddar|mozzarella|feta|brie|parmesan|halloumi/i],
  [fresh, 'milk', /milk|cream|yogh?urt|butter\b|fromage|oat drink|soya/i],
  [fresh, 'fruit', /apple|banana|orange|lemon|lime\b|grape|pear|plum|peach|melon|mango|kiwi|berr(y|ies)|pineapple/i],
  [fresh, 'leaf', /salad|lettuce|spinach|cabbage|broccoli|carrot|onion|potato|tomato|cucumber|pepper|mushroom|veg/i],
  [fresh, 'basket'],
  [/baker|bread|cake/i, 'bread'],
  [/frozen|ice/i, 'snow'],
  [/drink|food|cupboard/i, 'cup', /\b(coffee|tea|teabags|cocoa|hot chocolate)\b/i],
  [/drink|wine|beer|water/i, 'bottle'],
  [/treat|snack|sweet|chocolate/i, 'sweet'],
  [/household|clean|laundry/i, 'spray'],
  [/health|beauty|care/i, 'cream'],
  [/baby|toddler/i, 'baby'],
  [/pet/i, 'paw'],
  [/cloth|access/i, 'shirt'],
  [/home|ents|electr|garden/i, 'house'],
  [/food|cupboard|tin/i, 'tin'],
];

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** Tile with the icon of a product, in place of a picture. */
export function Thumb({ department, title }: { department: string | null; title: string | null }) {
  const isOf = (words: RegExp | undefined, name: string | null) => words === undefined || words.test(name ?? '');
  const [, name = 'box'] = icons.find(([of, , product]) => isOf(of, department) && isOf(product, title)) ?? [];
  return (
    <span class="thumb">
      <Icon name={name} />
    </span>
  );
}
