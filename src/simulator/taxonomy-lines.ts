import { readFileSync } from 'node:fs';
import type { PackKind } from './pack.ts';

/** Season of a superDepartment. */
export type Season = 'always' | 'summer' | 'winter';

export interface SuperDepartmentLines {
  readonly name: string;
  readonly weight: number;
  readonly kind: PackKind;
  readonly regions: 'both' | 'uk' | 'ie';
  readonly season: Season;
  /** Rise of its prices in a year, as a share: what an index of the department should show. */
  readonly inflation: number;
  /**
   * A line `department > aisle > shelf | shelf`, then what its shelves hold. An aisle without shelves is a leaf. `_` is
   * a trailing space in a name (part of the category id upstream), `+` marks a secondary shelf. Below the shelves:
   *
   * - `kind sizes : pounds : names : first ingredients : terms` for goods that they sell. The kind can be omitted.
   *   Sizes are grams, millilitres or pieces, `-` if sold singly; pounds are for a kilogram, litre or piece at the
   *   middle size. In the names `A, B + C; D` stands for `A C`, `B C` and `D`, and `~` for the shelf. Ingredients are
   *   `-` if it is no food; allergens stand between asterisks. Terms: `June 30` (30% cheaper in June), `fixed` (the
   *   pack never shrinks), `staple` (its price moves often), `lunch` or `evening` for its meal deals, `single-uk` for a
   *   region that allows it no deals on several, and `modest-uk` for one that allows it no large savings either,
   *   `alcohol 13` for its percentage by volume.
   * - `lists category | category` for a secondary shelf: products of which categories of other superDepartments. It is
   *   `offers` if it lists them only while they are on offer.
   */
  readonly entries: readonly (readonly string[])[];
}

/**
 * Invented taxonomy of both regions, in the order served. Headings are `# name : weight : kind : inflation`, with a
 * region if only that one has it, or `# name : season` if all its shelves are secondary. Four spaces continue a line.
 */
const text = readFileSync(new URL('taxonomy.txt', import.meta.url), 'utf8')
  .replace(/ >\n +/g, ' > ')
  .replace(/\n {4}/g, ' ');

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
    season: terms.length === 1 ? (terms[0] as Season) : 'always',
    inflation: Number(inflation),
    entries: lines
      .join('\n')
      .split(/\n(?! )/)
      .map((entry) => entry.split('\n').map((line) => line.trim())),
  };
}
