import { readFileSync } from 'node:fs';
import type { PackKind } from './pack.ts';

/** Season of a superDepartment. */
export type Season = 'always' | 'summer' | 'winter';

export interface SuperDepartmentLines {
  readonly name: string;
  readonly weight: number;
  readonly kind: PackKind;
  readonly regions: 'both' | 'uk' | 'ie';
  /** `secondary`: its shelves list products of other superDepartments. */
  readonly role: 'primary' | 'secondary';
  readonly season: Season;
  /** Rise of its prices in a year, as a share: what an index of the department should show. */
  readonly inflation: number;
  /**
   * `department > aisle > shelf | shelf # kind`. An aisle without shelves is a leaf. `_` is a trailing space in a name
   * (part of the category id upstream). `+` before a shelf makes it secondary. Below the shelves what they sell; if it
   * is missing, they sell the same as those above:
   * `sizes in grams, millilitres or pieces : pounds for a kilogram, litre or piece : varieties : first ingredients`.
   * `-` stands for the sizes of the kind, or for no ingredients; allergens stand between asterisks.
   */
  readonly lines: string;
}

/**
 * Invented taxonomy of both regions, in the order served. Headings are `# name : weight : kind : inflation`, with a
 * region if only that one has it, or `# name : season` if all its shelves are secondary.
 */
const text = readFileSync(new URL('taxonomy.txt', import.meta.url), 'utf8');

export const taxonomyLines: readonly SuperDepartmentLines[] = text.split(/^# /m).slice(1).map(chapterOf);

function chapterOf(chapter: string): SuperDepartmentLines {
  const [heading = '', ...lines] = chapter.trim().split('\n');
  const [name = '', ...terms] = heading.split(' : ');
  const [weight = 0, kind = 'each', inflation = 0, region = 'both'] = terms.length === 1 ? [] : terms;
  return {
    name,
    weight: Number(weight),
    kind: kind as PackKind,
    regions: region as SuperDepartmentLines['regions'],
    role: terms.length === 1 ? 'secondary' : 'primary',
    season: terms.length === 1 ? (terms[0] as Season) : 'always',
    inflation: Number(inflation),
    lines: lines.join('\n'),
  };
}
