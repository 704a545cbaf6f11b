import { timesDecimal } from './decimal.ts';
import { measured, type PackSize } from './pack-measure.ts';
import { pattern } from './pattern.ts';

/**
 * Increased when this parser or that of names changes: the next night then stages all products again, and a replay
 * reads the titles of earlier nights again.
 */
export const packTitleVersion = 5;

interface PackTitle {
  /** Null: no size, or only a range or an approximation. */
  readonly size: PackSize | null;
  /** Title without its size, in lower-case words; it stays equal when the pack changes. */
  readonly name: string;
}

/** Parses the size in a title and the remaining name. */
export function readPackTitle(title: string): PackTitle {
  const text = withRoom(withPlainSpaces(title));
  return { size: packSizeFromTitle(text), name: nameOf(text) };
}

/**
 * Normalises white space: `500\u00a0g` and `18oz / 500g` both contain 500 g. No spaces are removed in `4 x 4oz/454g`,
 * which is ambiguous.
 */
const withPlainSpaces = (title: string): string =>
  title
    .slice(0, 500)
    .replace(/[\s\u00ad\u200b-\u200f\u2060]+/g, ' ')
    .replace(/(?<![\d.,]|[x×] ?)\d{1,4}(?:[.,]\d{1,3})? ?(?:fl\.? ?)?(?:oz|lbs?)\.? ?\/ ?(?=\d)/gi, '');

/**
 * Pack size from a title: `Lager 4X330ml`, `Butter 250G`, `Yoghurt 4 x 100 g (400 g)`, `Milk 2 Pints`, `Rolls 8 Pack`,
 * `Wine 75Cl`, `Chocolate Bar 40g 4 Pack` (4 bars of 40 g) and `Chews 4 Pack 88G` (88 g in 4 pieces).
 */
export function packSizeFromTitle(title: string): PackSize | null {
  const text = withRoom(withPlainSpaces(title)).replace(notContent, ' ');
  if (sumOfParts.test(text)) return null;
  const multiple = multipleFrom(text);
  if (multiple !== undefined) return multiple;
  const isVague = vague.test(text);
  const counted = lastMatch(text, countPattern);
  const count = counted === null ? null : countOf(counted);
  const singles = isVague ? [] : [...text.matchAll(singlePattern)].filter((match) => !isPart(text, match));
  // If milk has pints and litres, the litres are more exact.
  const told = singles.filter(([, , units = '']) => !/^p/i.test(units));
  const single = told.findLast((match) => !isSmallerInBrackets(text, match, told)) ?? singles.at(-1);
  const content = single === undefined ? null : measured(single[1] ?? '', single[2] ?? '');
  if (content === null) return count === null ? null : { size: String(count), measure: 'each', count };
  // Content before the number of pieces is that of one piece; content after it is that of the pack.
  const isOfOnePiece = count !== null && isPackCount(counted!) && single!.index < (counted!.index ?? 0);
  // `Cider 18 Pack 440ml` is ambiguous: neither 24 ml per can nor 7.9 litres in total is certain.
  if (!isOfOnePiece && count !== null && isPackCount(counted!) && isTooLittleDrink(content, count)) return null;
  return isOfOnePiece ? { ...content, size: timesDecimal(content.size, String(count)), count } : { ...content, count };
}

function isTooLittleDrink({ measure, size }: PackSize, count: number): boolean {
  return measure === 'ml' && count >= 4 && drinkSizes.has(Number(size)) && Number(size) / count < 50;
}

/**
 * Common sizes of cans and bottles in millilitres; other small volumes may be totals, as of 12 ice lollies with 204 ml.
 */
const drinkSizes = new Set([200, 250, 275, 330, 375, 440, 500, 568]);

/** The volume of `Bin Liners 50L 20 Pack` is capacity, not content, so it becomes part of the name. */
function withRoom(text: string): string {
  return vessel.test(text) ? text.replace(volume, '$1_$2') : text;
}

const vessel = new RegExp(
  `^(?!.*\\bgift\\b).*(?<!(?:&|\\band|\\bwith) )\\b(?:${[
    'liners|bin liner|(?:refuse|rubble|rubbish|garden|bin|waste) (?:[a-z]+ )?sacks',
    '(?:bin|freezer|food|storage|slider|sandwich|waste|zip[a-z]*) (?:[a-z]+ ){0,2}bags|zip[a-z]*bags',
    pattern`
      kettle|saucepan|casserole dish|slow cooker|air ?fryer|(?:measuring|filter) jug|watering can|flask|backpack
      |rucksack|suitcase`,
    'lunch ?box|storage (?:box|tub|jar)|(?:pedal|waste|dust|swing) ?bin|(?:freezer|food|foil|storage) containers?',
    'glasses|tumblers?|mugs?|(?:paper|plastic|disposable|party) cups',
  ].join('|')})\\b`,
  'i',
);
const volume = /(?<![\d.,])(\d{1,4}(?:[.,]\d{1,3})?) ?(ml|cl|lit(?:re|er)s?|ltrs?|l)\b/gi;

const amount = '(\\d{1,5}(?:[.,]\\d{1,3})?)';
const unit = pattern`
    (kgs?|kilos?|kilogram(?:me)?s?|g|gms?|gr|grams?|grammes?|ml|mls|millilit(?:re|er)s?|cl|l|lts?|ltrs?
    |lit(?:re|er)s?|pints?|pt)\b`;
const start = '(?<![\\d.,/])';
/** Not the upper end of a range such as `8-14kg x 58` or `5-6 pieces`; `Size 4 - 44 Nappies` is not a range. */
const notRange = '(?<!\\d ?(?:kg|g|ml|cl|l)? ?(?:-|–|to) ?)';
const notCloseRange = '(?<!\\d(?:-|–| to ))';
const pieces = '(?:packs?|pk|pcs?|pieces?|cans?|bottles?|bars?|bags?|pots?|tins?|sachets?)';

const multiplePattern = new RegExp(
  `${start}(?:(\\d{1,2}) ?[x×] ?)?(\\d{1,3}) ?(?:${pieces} ?)?[x×*] ?${amount} ?${unit}`,
  'gi',
);
/** Content before the number of pieces: `85g x 6 Pack`, `10.6Gx10`. */
const reversedPattern = new RegExp(
  `${start}${notRange}${amount} ?${unit.replace('\\b', '')} ?[x×] ?(\\d{1,3})\\b(?![.,]\\d| ?(?:cm|mm|g|ml)\\b)`,
  'gi',
);
const singlePattern = new RegExp(`${start}${amount} ?${unit}(?! ?\\+)`, 'gi');

const things = pattern`
    teabags?|tea ?bags?|bags|capsules?|caps|tablets?|caplets?|pods?|sachets?|sheets?|rolls?|wipes?|nappies|pants
    |washes|wash|slices|sticks|portions|servings|rashers|tissues|liners|doses|lozenges|pads|tampons|plasters
    |panty ?liners|pieces|pcs?|pc`;
const countPattern = new RegExp(
  [
    // `6 Pack`, `2X6 Pack`, `60 Wipes`, `4 x 60 Wipes`; but neither `4+2 Pack` nor `9 = 18 Rolls`, which are ambiguous.
    pattern`
      ${start}(?<!\bsize |\d\+| \+ |= ?)(?:(?<times>\d{1,2}) ?[x×] ?)?
      (?:(?<packs>\d{1,3}) ?-?(?:packs?|pk)|${notCloseRange}(\d{1,4}) ?(?:${things}))\b`,
    '\\bpack of (?<packOf>\\d{1,3})\\b',
    '\\b(?:box|bag|tray) of (\\d{1,3})\\b',
    `${start}(\\d{1,3}) per pack\\b`,
    // Only at the end: `Cake Slices X6`, `Size 4 x 58`, `Tea 80S`, `Sweetener 1200s`; not `12 x 64`, which may be
    // several packs.
    `(?<=\\s)(?<!(?<!\\bsize )(?<=\\s|^)\\d{1,3} ?)[x×] ?(\\d{1,3})\\s*$`,
    `${start}(?<![x×] ?)(\\d{1,4})['’]?s\\s*$`,
    '\\b(twin) ?pack\\b',
    '\\b(each)\\s*$',
  ].join('|'),
  'gi',
);

/** Amounts that are not the content: per 100g, 20g of protein, drained weight, volume when prepared. */
const drained = `(?:\\d{1,3} ?[x×] ?)?${amount} ?${unit}`;
const notContent = new RegExp(
  `(?:\\bper|/) ?${amount} ?${unit}|${start}${amount} ?g (?:of )?(?:protein|fibre|sugars?|carbs|fat)\\b` +
    pattern`
      |\(?(?:drained(?: weight)?|dr\.? ?wt\.?):? ?${drained}\)?
      |(?:[(,] ?|(?<=\d ?k?g ))${drained} drained(?: weight)?\)?|\(${drained}\*\)` +
    '|(?<=\\brolls?,? \\(?)\\d{1,4} sheets?\\b' +
    `|\\bmakes (?:(?:up to|about|approx\\.?) )?${amount} ?${unit}`,
  'gi',
);
const rangePattern = `${amount} ?(?:kg|g|ml|cl|l)? ?(?:-|–|to) ?${amount} ?(?:kg|g|ml|cl|l)\\b`;
/** Typical weights and ranges of products sold by weight; weights of children on nappies. */
const vague = new RegExp(
  pattern`
    ${start}${rangePattern}
    |\b(?:typical(?:ly)?|approx(?:imate(?:ly)?|\.)?|about|circa|average|avg\.?|min\.?|minimum|up to)
    (?: weight)?[,:]? ?\(?${amount} ?(?:kg|g|ml|cl|l)\b` +
    pattern`
      |${start}${amount} ?(?:kg|g|ml|cl|l),? ?\(?(?:approx(?:imate(?:ly)?)?|typical(?:ly)?|average|minimum)\b\.?
      (?! ?\d)`,
  'i',
);
/** Two products in a pack: `102.5g + 35ml`, `shampoo 400ml & conditioner 400ml`, `gin 70cl + 2 tonic 150ml`. */
const sumOfParts = new RegExp(
  pattern`
    ${amount} ?${unit}\D{0,3}(?:\+|&|\band\b)
    (?: ?\d{1,2} ?(?:[x×] ?|(?=[a-z]{4})))?\D{0,40}${start}${amount} ?${unit}`,
  'i',
);

/** Undefined: the text contains no multiplication. */
function multipleFrom(text: string): PackSize | null | undefined {
  const multiple = lastMatch(text, multiplePattern);
  if (multiple !== null) {
    const [, outer, inner, value = '', units = ''] = multiple;
    return timesCount(measured(value, units), Number(outer ?? 1) * Number(inner));
  }
  const reversed = lastMatch(text, reversedPattern);
  if (reversed === null) return undefined;
  const [, value = '', units = '', count] = reversed;
  return timesCount(measured(value, units), Number(count));
}

function timesCount(piece: PackSize | null, count: number): PackSize | null {
  return piece === null || !isCount(count) ? null : { ...piece, size: timesDecimal(piece.size, String(count)), count };
}

function lastMatch(text: string, pattern: RegExp): RegExpMatchArray | null {
  return [...text.matchAll(pattern)].at(-1) ?? null;
}

/** The second amount of `284ml/300g` is the same content in another measure. */
function isPart(text: string, { index }: RegExpMatchArray): boolean {
  return text[(index ?? 0) - 1] === '/';
}

/** The amount in brackets of `340g (180g)` is the drained weight or one piece. */
function isSmallerInBrackets(text: string, match: RegExpMatchArray, all: readonly RegExpMatchArray[]): boolean {
  const before = all[all.indexOf(match) - 1];
  if (before === undefined || text[(match.index ?? 0) - 1] !== '(') return false;
  const [whole, part] = [before, match].map(([, value = '', units = '']) => measured(value, units));
  return whole?.measure === part?.measure && Number(part?.size) < Number(whole?.size);
}

function countOf(match: RegExpMatchArray): number | null {
  const { times = '1', packs } = match.groups ?? {};
  const said = packs ?? match.slice(3).find((group) => group !== undefined) ?? '';
  const count = /^twin$/i.test(said) ? 2 : /^each$/i.test(said) ? 1 : Number(times) * Number(said);
  return isCount(count) ? count : null;
}

/** Maximum number of pieces; fits a PostgreSQL smallint. */
function isCount(count: number): boolean {
  return count > 0 && count <= 9_999;
}

/** `4 Pack` counts pieces with a content each; `46 Pieces` and `20 Tea Bags` only divide the content. */
function isPackCount({ groups }: RegExpMatchArray): boolean {
  return groups?.['packs'] !== undefined || groups?.['packOf'] !== undefined;
}

const everySize = [multiplePattern, reversedPattern, singlePattern, countPattern];

function nameOf(title: string): string {
  let rest = title.replace(notContent, ' ').replace(new RegExp(rangePattern, 'gi'), ' ');
  for (const pattern of everySize) rest = rest.replace(pattern, ' ');
  return rest
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
