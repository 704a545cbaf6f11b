import { canonicalDecimal, type Decimal, decimalFromNumber, isZero, timesDecimal, timesWhole } from './decimal.ts';

export interface PackSize {
  /** Content of the whole pack in `measure`: `4X330ml` holds 1320 ml. */
  readonly size: Decimal;
  readonly measure: 'g' | 'ml' | 'each';
  /** Pieces in the pack, when it says so: 4 of `4X330ml`, 8 of `8 Pack`. */
  readonly count: number | null;
}

/**
 * The size of a pack from the `packSize` list of a details payload and from the title. The list wins, except where the title
 * explains it: a slip by a factor of 1,000 (400 KG for 400 g), or a list that names one piece of a multipack.
 */
export function readPackSize(list: unknown, title: string | null): PackSize | null {
  const printed = title === null ? null : packSizeFromTitle(title);
  const listed = packSizeFromList(list);
  if (listed === null) return printed;
  if (printed === null) return isCredible(listed) ? listed : null;
  if (printed.measure !== listed.measure)
    return listed.measure === 'each' ? printed : isCredible(listed) ? listed : printed;
  const isSlip = timesWhole(printed.size, 1_000) === listed.size || timesWhole(listed.size, 1_000) === printed.size;
  const isOnePiece = printed.count !== null && timesWhole(listed.size, printed.count) === printed.size;
  if (isSlip || isOnePiece || !isCredible(listed)) return printed;
  return { ...listed, count: listed.count ?? printed.count };
}

/** From a title: `Lager 4X330ml`, `Butter 250G`, `Yoghurt 9x37g`, `Water 6 X 500 Ml`, `Milk 2 Litre`, `Rolls 8 Pack`, `Wine 75Cl`. */
export function packSizeFromTitle(title: string): PackSize | null {
  const text = title.slice(0, 500);
  const multiple = lastMatch(text, multiplePattern);
  if (multiple !== null) {
    const count = Number(multiple[1]);
    const piece = measured(multiple[2] ?? '', multiple[3] ?? '');
    return piece === null || count === 0 ? null : { ...piece, size: timesWhole(piece.size, count), count };
  }
  const count = countFromTitle(text);
  const single = lastMatch(text, singlePattern);
  const content = single === null ? null : measured(single[1] ?? '', single[2] ?? '');
  if (content !== null) return { ...content, count };
  return count === null ? null : { size: String(count), measure: 'each', count };
}

/** From the `packSize` list of a details payload: `[{value: "1750", units: "ML"}]`, with `SNGL` counting pieces. */
export function packSizeFromList(list: unknown): PackSize | null {
  if (!Array.isArray(list)) return null;
  let content: PackSize | null = null;
  let count: number | null = null;
  for (const entry of list.slice(0, 20)) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { value, units } = entry as { value?: unknown; units?: unknown };
    if (typeof units !== 'string') continue;
    const amount = amountOf(value);
    if (amount === null || isZero(amount)) continue;
    if (/^(?:sngl|each|ea)$/i.test(units.trim())) count ??= /^\d{1,4}$/.test(amount) ? Number(amount) : null;
    else content ??= measured(amount, units.trim());
  }
  if (content !== null) return { ...content, count };
  return count === null ? null : { size: String(count), measure: 'each', count };
}

const unit = '(kg|kilos?|g|gm|grams?|ml|cl|l|lt|ltr|litres?|liters?)\\b';
const amount = '(\\d{1,5}(?:[.,]\\d{1,3})?)';
const multiplePattern = new RegExp(`(?<![\\d.,])(\\d{1,3}) ?[x×] ?${amount} ?${unit}`, 'gi');
const singlePattern = new RegExp(`(?<![\\d.,])${amount} ?${unit}`, 'gi');
const countPattern =
  /(?<![\d.,])(\d{1,3}) ?-?(?:pack|packs|pk|pc|pcs|pieces)\b|\bpack of (\d{1,3})\b|\b(twin) ?pack\b/gi;

function lastMatch(text: string, pattern: RegExp): RegExpMatchArray | null {
  return [...text.matchAll(pattern)].at(-1) ?? null;
}

function countFromTitle(text: string): number | null {
  const match = lastMatch(text, countPattern);
  if (match === null) return null;
  const count = match[3] === undefined ? Number(match[1] ?? match[2]) : 2;
  return count > 0 ? count : null;
}

function amountOf(value: unknown): Decimal | null {
  if (typeof value === 'number') return decimalFromNumber(value);
  return typeof value === 'string' ? canonicalDecimal(value.trim().replace(',', '.')) : null;
}

const factors: Readonly<Record<string, readonly ['g' | 'ml', number]>> = {
  kg: ['g', 1_000],
  ki: ['g', 1_000],
  g: ['g', 1],
  gm: ['g', 1],
  gr: ['g', 1],
  ml: ['ml', 1],
  cl: ['ml', 10],
  l: ['ml', 1_000],
  lt: ['ml', 1_000],
  li: ['ml', 1_000],
};

function measured(value: string, units: string): PackSize | null {
  const [measure, factor] = factors[units.slice(0, 2).toLowerCase()] ?? [];
  const decimal = canonicalDecimal(value.replace(',', '.'));
  if (measure === undefined || factor === undefined || decimal === null || isZero(decimal)) return null;
  return { size: timesDecimal(decimal, String(factor)), measure, count: null };
}

/** A supermarket pack weighs up to 50 kg (coal, compost); a listed 400 kg is a slip of the unit. */
function isCredible(pack: PackSize): boolean {
  return pack.measure === 'each' || Number(pack.size) <= 100_000;
}
