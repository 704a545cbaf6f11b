import type { NutritionValue } from '../../base/model/index.ts';
import { canonicalDecimal, type Decimal } from './decimal.ts';
import { decodeEntities } from './text.ts';

const maxRows = 200;

/** The nutrients that a label must or may state (Regulation (EU) 1169/2011, article 30), by their printed names. */
const nutrients: readonly (readonly [string, RegExp])[] = [
  ['saturates', /^(?:saturates?|sturates|saturated(?: fat(?:s|ty acids)?)?|sat(?:urate)? fats?)$/],
  ['fat', /^(?:(?:total )?fats?|fat, total)$/],
  ['carbohydrate', /^(?:available |total |glycaemic )?(?:carbohydrates?|carbs)$/],
  ['sugars', /^(?:total )?sugars?$/],
  ['fibre', /^(?:dietary |total )?fib(?:re|er)s?$/],
  ['protein', /^(?:proteins?|protiens?)$/],
  ['salt', /^(?:salt|salt eq(?:uivalent)?|equivalent (?:as )?salt)$/],
];

interface Row {
  readonly name: string;
  /** Cells as printed; null if empty. */
  readonly cells: readonly (string | null)[];
}

/**
 * Parses a nutrition table in either form, `{name, perComp, perServing, …}` or `{name, value1, value2, value3}`, to
 * energy and seven nutrients per column. The first of two rows for a nutrient counts; cells without an amount and
 * columns of intake percentages are skipped. Never throws.
 */
export function readNutrition(table: unknown): readonly NutritionValue[] {
  const rows = Array.isArray(table) ? table.slice(0, maxRows).flatMap(readRow) : [];
  const found = new Map<string, NutritionValue>();
  for (const { index, basis } of columnsOf(rows)) {
    for (const [at, { name, cells }] of rows.entries()) {
      const printed = cells[index] ?? null;
      if (printed === null) continue;
      const isEnergy = energyName.test(name) || (!/\p{L}/u.test(name) && energyName.test(rows[at - 1]?.name ?? ''));
      const amounts = isEnergy ? energiesIn(printed, name) : amountsIn(printed, name);
      for (const { nutrient, ...amount } of amounts) {
        const key = `${nutrient}|${basis}`;
        if (!found.has(key)) found.set(key, { nutrient, basis, ...amount, printed });
      }
    }
  }
  return [...found.values()];
}

/** Columns of amounts with their basis: `100g`, `100ml`, another heading as printed, or `unknown` without one. */
function columnsOf(rows: readonly Row[]): readonly { readonly index: number; readonly basis: string }[] {
  const header = rows.find(isHeader);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, index) => {
    const heading = header?.cells[index] ?? (index === 0 ? header?.name : undefined) ?? 'unknown';
    return { index, heading, basis: basisOf(heading) };
  });
  // A second column with the same basis is ignored; the first one counts.
  return columns.filter(
    ({ heading, basis }, at) => !intake.test(heading) && columns.findIndex((other) => other.basis === basis) === at,
  );
}

const intake = /%|\bri\b|\bnrv\b|\bgda\b|reference intake|guideline|\bdaily\b(?! (?:dose|serving|portion))/i;

function basisOf(heading: string): string {
  // `Per 100g`, but not `Grilled per 100g`, which is another amount of the same product.
  const [, unit] =
    /^\W*(?:as sold\W*)?(?:typical values\W*)?(?:per\s)?\W*100 ?(g|ml)\b(?: contains)?\W*$/i.exec(heading) ?? [];
  return unit ? `100${unit.toLowerCase()}` : heading;
}

function isHeader({ name, cells }: Row): boolean {
  if (/^\W*(?:typical|average|nutrition)/i.test(name)) return true;
  return !/\p{L}/u.test(name) && cells.some((cell) => /\bper\b|\bcontains\b|100 ?(?:g|ml)\b/i.test(cell ?? ''));
}

function readRow(row: unknown): readonly Row[] {
  if (typeof row !== 'object' || row === null) return [];
  const { name, perComp, perServing, value1, value2, value3, value4 } = row as Record<string, unknown>;
  const isNamed = perComp !== undefined || perServing !== undefined;
  const cells = isNamed ? [perComp, perServing] : [value1, value2, value3, value4];
  return [{ name: printedIn(name) ?? '', cells: cells.map(printedIn) }];
}

function printedIn(cell: unknown): string | null {
  if (typeof cell !== 'string' && typeof cell !== 'number') return null;
  const text = decodeEntities(String(cell).slice(0, 200)).replace(/[\s\u0000-\u001f\u00a0]+/g, ' ');
  return text.replace(/\p{Surrogate}/gu, '\ufffd').trim() || null;
}

type Amount = Pick<NutritionValue, 'nutrient' | 'amount' | 'unit' | 'isUpperBound'>;

// The text after the amount must not change it: a range, a percentage, more digits or another unit.
const amountPattern = new RegExp(
  '^[(~≈]*\\s?(<=?|≤|⩽|less than|under|up to)?\\s?(\\d[\\d.,]{0,11}|\\.\\d{1,6})(?![\\d.,])' +
    '(?:\\s?(mg|grams?|g)(?![\\d%a-z-]|/(?!\\s?\\d{1,3}\\s?%)|\\s?[-–]\\s?\\d)' +
    '|(?![%/a-z-]|\\s?%|\\s?[-–]\\s?\\d|\\s?[.,]?\\d|\\s(?:mg|mcg|[µμ]g|ug|g|iu)))(\\s?(or less|max(?:imum)?)\\b)?',
);

/** Amounts such as `12,5 g`, `<0.5g`, `780mg (=98% NRV*)`, `3.4 g*`. */
function amountsIn(cell: string, rowName: string): readonly Amount[] {
  const name = rowName
    .toLowerCase()
    .replace(/\((?!of which|equivalent)[^()]*\)?|[()\s]+/g, ' ')
    .replace(/^[^\p{L}]*(?:(?:of )?which)?[^\p{L}]*|[^\p{L}]+$/gu, '')
    .replace(/[\s,]+m?g$/, '');
  const [nutrient] = nutrients.find(([, printed]) => printed.test(name)) ?? [];
  const [, bound, digits = '', unit = unitIn(rowName), , orLess] = amountPattern.exec(cell.toLowerCase()) ?? [];
  const amount = decimalOf(digits, unit === 'mg');
  if (nutrient === undefined || amount === null) return [];
  const isUpperBound = bound !== undefined || orLess !== undefined;
  return [{ nutrient, amount, unit: unit === 'mg' ? 'mg' : unit?.startsWith('g') ? 'g' : 'unknown', isUpperBound }];
}

/** Unit in a row's name (`Fat (g)`, `Salt g`), used if cells have none. */
const unitIn = (name: string) => /[\s(,](m?g)\)?\s*$/i.exec(name)?.[1]?.toLowerCase();

const energyName = /^\W*(?:energy|calories|kcals?\b|kjs?\b)/i;
const energyPattern = /(<\s?)?(\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?|\d{1,6}(?:[.,]\d{1,3})?)\s?(kj|kcals?|cals?)?/g;
/** Pure fat has 3,700 kJ in 100 g; larger values are two numbers without a gap. */
const maxEnergy = 40_000;

/** Energies in `1506kJ/360kcal`, `2506/603 kJ/kcal`, `1506kJ (360kcal)`, or `360` in a row of kcal. */
function energiesIn(cell: string, name: string): readonly Amount[] {
  const text = cell.toLowerCase().replace(/\([^()]*%[^()]*\)?|\d+(?:\.\d+)?\s?%/g, ' ');
  const numbers = [...text.matchAll(energyPattern)];
  // Units stand behind each number, or as often as numbers in the cell or the row's name.
  const named = [text, name.toLowerCase()].map((source) => source.match(/kj|kcal|cal/g) ?? []);
  const units = named.find((each) => each.length === numbers.length) ?? [];
  return numbers.flatMap(([, bound, digits = ''], at) => {
    const amount = decimalOf(digits.replace(/(?<=\d) (?=\d)/g, ','), true);
    const unit = units[at];
    if (unit === undefined || amount === null || Number(amount) > maxEnergy) return [];
    const energy = unit === 'kj' ? ({ nutrient: 'energy-kj', unit: 'kJ' } as const) : energyInKcal;
    return [{ ...energy, amount, isUpperBound: bound !== undefined }];
  });
}

const energyInKcal = { nutrient: 'energy-kcal', unit: 'kcal' } as const;

/** A comma is a decimal comma, except before groups of three digits where thousands are usual (`1,250 kJ`). */
function decimalOf(digits: string, isOftenLarge: boolean): Decimal | null {
  const text = digits.replace(/[.,]+$/, '').replace(/^\./, '0.');
  const isGrouped = isOftenLarge && /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text);
  const plain = isGrouped ? text.replaceAll(',', '') : text.replace(',', '.');
  return /^\d+(?:\.\d+)?$/.test(plain) ? canonicalDecimal(plain) : null;
}
