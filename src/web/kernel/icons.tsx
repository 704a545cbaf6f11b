import type { JSX } from 'preact';

/** Line drawings on a grid of 24, by name. */
const paths = {
  basket: 'M3 10h18l-2 10H5ZM8 10l3-6M16 10l-3-6M9 14v3M12 14v3M15 14v3',
  bread: 'M6 20v-9a3.5 3.5 0 0 1 1-7h10a3.5 3.5 0 0 1 1 7v9ZM10 8v3M14 8v3',
  snow: 'M12 3v18M4 7.5l16 9M20 7.5l-16 9M9 4l3 3 3-3M9 20l3-3 3 3',
  tin: 'M6 6c0-3 12-3 12 0v12c0 3-12 3-12 0ZM6 6c0 3 12 3 12 0M6 11c0 3 12 3 12 0',
  bottle: 'M10 3h4v4l2 4v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9l2-4ZM8 14h8',
  sweet: 'M9 9l6 6M15 9a4.2 4.2 0 1 0-6 6 4.2 4.2 0 1 0 6-6ZM9 15l-5 1 1 4 1-5M15 9l5-1-1-4-1 5',
  spray: 'M9 9h6l2 4v7a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1v-7ZM10 9V4h6l2 3M10 4H7',
  cream: 'M7 3h10l-2 14H9ZM9 17h6v4H9ZM8 9h8',
  baby: 'M9 8h6v2l1 2v8a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-8l1-2ZM10 8c-2-5 6-5 4 0M8 15h4',
  paw: 'M8 15c0-5 8-5 8 0 1 5-9 5-8 0ZM6 10v1M10 6v1M14 6v1M18 10v1',
  lamp: 'M9 17a6 6 0 1 1 6 0v1H9ZM10 21h4',
  shirt: 'M8 4l4 2 4-2 5 4-3 3-2-1v10H8V10l-2 1-3-3Z',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4ZM4 8l8 4 8-4M12 12v8',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5L20 20',
  theme: 'M12 4a8 8 0 1 0 0 16ZM12 4a8 8 0 0 1 0 16',
  menu: 'M4 7h16M4 12h16M4 17h16',
} as const;

type IconName = keyof typeof paths;

/** Icon of a department by words of its name; the first match wins. */
const departments: readonly (readonly [RegExp, IconName])[] = [
  [/fresh|fruit|veg|meat|fish|dairy|chilled/i, 'basket'],
  [/baker|bread|cake/i, 'bread'],
  [/frozen|ice/i, 'snow'],
  [/drink|wine|beer|water/i, 'bottle'],
  [/treat|snack|sweet|chocolate/i, 'sweet'],
  [/household|clean|laundry/i, 'spray'],
  [/health|beauty|care/i, 'cream'],
  [/baby|toddler/i, 'baby'],
  [/pet/i, 'paw'],
  [/cloth|access/i, 'shirt'],
  [/home|ents|electr|garden/i, 'lamp'],
  [/food|cupboard|tin/i, 'tin'],
];

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** Tile with the icon of a department, in place of a picture. */
export function Thumb({ department }: { department: string | null }) {
  const name = departments.find(([words]) => words.test(department ?? ''))?.[1] ?? 'box';
  return (
    <span class="thumb">
      <Icon name={name} />
    </span>
  );
}
