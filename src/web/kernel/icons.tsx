import type { JSX } from 'preact';

/** Line drawings on a grid of 24, by name. */
const paths = {
  basket: 'M3 10h18l-2 10H5ZM8 10l3-6M16 10l-3-6M9 14v3M12 14v3M15 14v3',
  bread: 'M4 9c0-6 16-6 16 0 0 2-1 3-2 3v8H6v-8c-1 0-2-1-2-3ZM9 9v3M12 8v3M15 9v3',
  egg: 'M12 3c4 0 6.5 6 6.5 10.5a6.5 6.5 0 0 1-13 0C5.5 9 8 3 12 3Z',
  milk: 'M7 21V10l3-5h4l3 5v11ZM7 10h10M10 5V3h4v2M10 14h4',
  cheese: 'M3 18v-6L16 5c3 1 5 4 5 7v6ZM3 12h18M8 15v.1M14 15.5v.1',
  meat: 'M4 13c0-5 5-8 10-8s7 4 6 8-5 6-10 6-6-2-6-6ZM14 9a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  fish: 'M3 12c4-7 11-7 14 0-3 7-10 7-14 0ZM17 12l4-4v8ZM7.5 11v.1',
  fruit: 'M12 8c-7-4-11 5-5 11 2 2 3 2 5 1 2 1 3 1 5-1 6-6 2-15-5-11ZM12 8c0-2 1-4 3-5',
  leaf: 'M5 19C4 9 10 4 20 4c0 10-5 16-15 15ZM5 19L14 10',
  cup: 'M5 8h11v7a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4ZM16 10h1a2.5 2.5 0 0 1 0 5h-1M8 3v2M12 3v2',
  snow: 'M12 3v18M4 7.5l16 9M20 7.5l-16 9M9 4l3 3 3-3M9 20l3-3 3 3',
  tin: 'M6 6c0-3 12-3 12 0v12c0 3-12 3-12 0ZM6 6c0 3 12 3 12 0M6 11c0 3 12 3 12 0',
  bottle: 'M10 3h4v4l2 4v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9l2-4ZM8 14h8',
  sweet: 'M9 9l6 6M15 9a4.2 4.2 0 1 0-6 6 4.2 4.2 0 1 0 6-6ZM9 15l-5 1 1 4 1-5M15 9l5-1-1-4-1 5',
  spray: 'M9 9h6l2 4v7a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-7ZM10 9V4h6l2 3M10 4H7',
  cream: 'M7 3h10l-2 14H9ZM9 17h6v4H9ZM8 9h8',
  baby: 'M9 8h6v2l1 2v8a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-8l1-2ZM10 8c-2-5 6-5 4 0M8 15h4',
  paw: 'M8 15c0-5 8-5 8 0 1 5-9 5-8 0ZM6 10v1M10 6v1M14 6v1M18 10v1',
  house: 'M4 11l8-7 8 7v9H4ZM10 20v-6h4v6',
  shirt: 'M8 4l4 2 4-2 5 4-3 3-2-1v10H8V10l-2 1-3-3Z',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4ZM4 8l8 4 8-4M12 12v8',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5L20 20',
  theme: 'M12 4a8 8 0 1 0 0 16ZM12 4a8 8 0 0 1 0 16',
  menu: 'M4 7h16M4 12h16M4 17h16',
} as const;

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
