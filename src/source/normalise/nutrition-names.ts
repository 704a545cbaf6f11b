import { pattern } from './pattern.ts';

/** Nutrient of a printed name, or a slug of the name; null for footnotes and continuation rows. */
export function nutrientOf(printed: string): string | null {
  const name = printed
    .toLowerCase()
    .replace(/\([^()]*\)?/g, (part) => (/of which|equivalent/.test(part) ? part.replace(/[()]/g, '') : ' '))
    .replace(/^[\s\-–—•*.:,]+|[\s\-–—•*.:,]+$/g, '')
    .replace(/^(?:of which|which|thereof|including)[:\s-]*/, '')
    .replace(/[\s,]+(?:mg|mcg|[µμ]g|ug|g|iu)$/, '')
    .trim();
  if (name === '' || isFootnote(printed)) return null;
  if (/^(?:energy|calories|kcals?|kjs?|energy value)\b/.test(name)) return null;
  for (const [nutrient, pattern] of nutrients) if (pattern.test(name)) return nutrient;
  const slug = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' || slug.length > 60 ? null : slug;
}

/** Unit in a row's name (`Fat (g)`, `Salt g`), used if cells have none. */
export function unitFromName(printed: string): 'g' | 'mg' | 'µg' | 'IU' | null {
  const match = /[\s(,](mg|mcg|[µμ]g|ug|g|iu)\)?\s*$/i.exec(printed)?.[1]?.toLowerCase();
  if (match === undefined) return null;
  if (match === 'iu') return 'IU';
  return match === 'g' || match === 'mg' ? match : 'µg';
}

const footnote = new RegExp(
  pattern`
    reference intake|nutrient reference|\bnrv|\bservings?\b|as sold|\bpack contains
    |when (?:grilled|cooked|prepared)|typically weighs|instructions`,
  'i',
);

/** Rows that look like nutrients but are not: `* Reference intake …`, `As sold`, `This pack contains 45 servings`. */
export function isFootnote(printed: string): boolean {
  return printed.length > 80 || /^\s*\*+\s*\p{L}/u.test(printed) || footnote.test(printed);
}

const nutrients: readonly (readonly [string, RegExp])[] = [
  ['saturates', /^(?:saturates?|saturated(?: fat(?:s|ty acids)?)?|sturates|saturate fat|sat fats?)$/],
  ['fat', /^(?:(?:total )?fats?|fat, total)$/],
  ['carbohydrate', /^(?:available |total |glycaemic )?(?:carbohydrates?|carbs)$/],
  ['sugars', /^(?:total )?sugars?$/],
  ['fibre', /^(?:dietary |total )?fib(?:re|er)s?$/],
  ['protein', /^(?:proteins?|protiens?)$/],
  ['salt', /^(?:salt|salt eq(?:uivalent)?|equivalent salt|equivalent as salt)$/],
  ['sodium', /^sodium$/],
];
