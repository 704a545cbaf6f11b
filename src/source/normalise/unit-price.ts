import { type Decimal, decimalFromNumber, timesDecimal } from './decimal.ts';
import { decimalFromAmount } from './money.ts';
import { measured } from './pack-measure.ts';
import { pattern } from './pattern.ts';

interface UnitPrice {
  /** Exact decimal in major units per `unitOfMeasure`; null: unknown. Never 0. */
  readonly unitPrice: Decimal | null;
  /** `kg`, `litre`, `each`, `kg DR.WT` …; unknown measures as received. */
  readonly unitOfMeasure: string | null;
}

/**
 * Normalises a unit price to kilograms, litres or pieces: `0.72` per `100g`, `72` per `p/100g`, `72p` per `100g` and
 * `£7.20/kg` are all `7.2` per `kg`. Drained weight keeps its qualifier. Unknown measures, and those that do not divide
 * evenly (75cl), stay as received. Prices that are 0, negative or unreadable are null.
 */
export function normaliseUnitPrice(price: unknown, measure: unknown): UnitPrice {
  const printed = readPrice(price);
  const { unit, factor, isMinor } = readMeasure(measure ?? printed.measure);
  const major = isMinor || printed.isMinor ? inMajor(printed.amount) : printed.amount;
  const unitPrice = major === null || factor === 1 ? major : timesDecimal(major, String(factor));
  return { unitPrice: isCredible(unitPrice) ? unitPrice : null, unitOfMeasure: unit };
}

/** Whether a unit price is given but unreadable. Missing values, empty text and 0 are not. */
export function isUnreadableUnitPrice(price: unknown): boolean {
  const isStated = price !== null && price !== undefined && !/^\s*(?:0+(?:\.0+)?)?\s*$/.test(String(price));
  return isStated && !isCredible(readPrice(price).amount);
}

const inMajor = (pence: Decimal | null): Decimal | null => (pence === null ? null : timesDecimal(pence, '0.01'));

interface Measure {
  readonly unit: string | null;
  /** Factor that converts a price per received measure. */
  readonly factor: number;
  /** Whether the price is in pence or cents: `p/100g`. */
  readonly isMinor: boolean;
}

const longestMeasure = 60;
const measures = new Map<string, Measure>();
const maxMeasures = 500;

function readMeasure(measure: unknown): Measure {
  if (typeof measure !== 'string') return { unit: null, factor: 1, isMinor: false };
  const known = measures.get(measure);
  if (known !== undefined) return known;
  const read = parseMeasure(measure);
  if (measures.size < maxMeasures && measure.length <= longestMeasure) measures.set(measure, read);
  return read;
}

function parseMeasure(text: string): Measure {
  const [, currency = '', measure = ''] = /^\s*(?:(p|c|pence|cents?|£|€)\s?(?:\/|per\s)\s?)?(.*)$/is.exec(text) ?? [];
  const isMinor = /^[pc]/i.test(currency);
  const verbatim = measure
    .replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, longestMeasure);
  if (verbatim === '') return { unit: null, factor: 1, isMinor };
  const [, count = '1', name = '', drained] =
    /^(?:per\s|a\s|\/\s?)?(\d{1,5})?\s?([a-z]{1,9}?)s?\s?(dr\.?\s?wt\.?)?$/i.exec(verbatim) ?? [];
  const content = measured(count, name);
  const base = content && bases[content.measure];
  const isWhole = base && base.parts % Number(content.size) === 0;
  const isEach = count === '1' && /^(?:each|ea)$/i.test(name);
  if (!isWhole) return { unit: isEach ? 'each' : verbatim, factor: 1, isMinor };
  const unit = drained === undefined ? base.unit : `${base.unit} DR.WT`;
  return { unit, factor: base.parts / Number(content.size), isMinor };
}

/** Base unit of each measure, and measures per base unit. */
const bases: Readonly<Record<string, { readonly unit: string; readonly parts: number }>> = {
  g: { unit: 'kg', parts: 1_000 },
  ml: { unit: 'litre', parts: 1_000 },
};

interface PrintedPrice {
  readonly amount: Decimal | null;
  readonly isMinor: boolean;
  /** Measure printed after the price: `100g` in `72p/100g`. */
  readonly measure?: string;
}

const notPrinted: PrintedPrice = { amount: null, isMinor: false };

/** Parses `0.72`, `"£7.20"`, `"72p"`, or a price with its measure: `(£7.20/kg)`, `72p per 100g`. */
function readPrice(price: unknown): PrintedPrice {
  if (typeof price === 'number') return { amount: decimalFromNumber(price), isMinor: false };
  if (typeof price !== 'string' || price.length > 64) return notPrinted;
  const [, amount, minor, measure] = printedPrice.exec(price) ?? [];
  if (amount === undefined) return notPrinted;
  const isMinor = minor !== undefined;
  return { amount: decimalFromAmount(amount), isMinor, ...(measure !== undefined && { measure }) };
}

const printedPrice = new RegExp(
  pattern`
    ^[\s(]*(?:[£€]|GBP|EUR)?\s*(\d[\d.,]*|\.\d+)\s*(?:([pc])\b|[£€]|GBP|EUR)?
    (?:\s*(?:\/|\bper\b)\s*([^()]{1,40}?))?[\s)]*$`,
  'i',
);

/** Same limit as for prices: ten million per unit. Four decimals are stored, and a price is never stored as 0. */
const maxMajor = 10_000_000;
const leastMajor = 0.0001;

function isCredible(decimal: Decimal | null): boolean {
  if (decimal === null || decimal === '0' || decimal.length > 24) return false;
  return Number(decimal) >= leastMajor && Number(decimal) <= maxMajor;
}
