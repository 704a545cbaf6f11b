import { type Decimal, decimalFromNumber, isZero, timesWhole } from './decimal.ts';
import { decimalFromAmount } from './money.ts';

interface UnitPrice {
  /** Exact decimal in major units per `unitOfMeasure`; null is unknown and never 0. */
  readonly unitPrice: Decimal | null;
  /** `kg`, `litre`, `each`, `kg DR.WT` …; an unknown measure as received. */
  readonly unitOfMeasure: string | null;
}

/**
 * A price per measure, brought to kilograms, litres or pieces so that it can be compared: `0.72` per `100g` is `7.2`
 * per `kg`. Drained weight keeps its qualifier. A measure not known here, or one that does not divide evenly (75cl),
 * stays as received with its price. 0, negative and unreadable prices are null.
 */
export function normaliseUnitPrice(price: unknown, measure: unknown): UnitPrice {
  const decimal = readPrice(price);
  const { unit, factor } = readMeasure(measure);
  const unitPrice = decimal === null || factor === 1 ? decimal : timesWhole(decimal, factor);
  return { unitPrice: isCredible(unitPrice) ? unitPrice : null, unitOfMeasure: unit };
}

interface Measure {
  readonly unit: string | null;
  /** What a price per the received measure is multiplied with. */
  readonly factor: number;
}

/** Parts of the base unit in one of the measure. */
const bases: Readonly<Record<string, { unit: string; parts: number }>> = {
  kg: { unit: 'kg', parts: 1 },
  kilo: { unit: 'kg', parts: 1 },
  kilogram: { unit: 'kg', parts: 1 },
  g: { unit: 'kg', parts: 1_000 },
  gram: { unit: 'kg', parts: 1_000 },
  litre: { unit: 'litre', parts: 1 },
  liter: { unit: 'litre', parts: 1 },
  ltr: { unit: 'litre', parts: 1 },
  lt: { unit: 'litre', parts: 1 },
  l: { unit: 'litre', parts: 1 },
  cl: { unit: 'litre', parts: 100 },
  ml: { unit: 'litre', parts: 1_000 },
  each: { unit: 'each', parts: 1 },
  ea: { unit: 'each', parts: 1 },
};

const longestMeasure = 60;
const measures = new Map<string, Measure>();
const mostMeasures = 500;

function readMeasure(measure: unknown): Measure {
  if (typeof measure !== 'string') return { unit: null, factor: 1 };
  const known = measures.get(measure);
  if (known !== undefined) return known;
  const read = parseMeasure(measure);
  if (measures.size < mostMeasures && measure.length <= longestMeasure) measures.set(measure, read);
  return read;
}

function parseMeasure(measure: string): Measure {
  const verbatim = measure
    .replace(/[\u0000-\u001f\u007f]|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, longestMeasure);
  if (verbatim === '') return { unit: null, factor: 1 };
  const match = /^(?:per\s|a\s|\/\s?)?(\d{1,5})?\s?([a-z]{1,9}?)s?\s?(dr\.?\s?wt\.?)?$/i.exec(verbatim);
  const base = match === null ? undefined : bases[(match[2] ?? '').toLowerCase()];
  if (match === null || base === undefined) return { unit: verbatim, factor: 1 };
  const count = Number(match[1] ?? 1);
  if (count === 0 || base.parts % count !== 0) return { unit: verbatim, factor: 1 };
  return { unit: match[3] === undefined ? base.unit : `${base.unit} DR.WT`, factor: base.parts / count };
}

function readPrice(price: unknown): Decimal | null {
  if (typeof price === 'number') return decimalFromNumber(price);
  return typeof price === 'string' ? decimalFromText(price) : null;
}

/** As for prices: ten million, far above saffron by the kilogram. */
const mostMajor = 10_000_000;

function isCredible(decimal: Decimal | null): boolean {
  return decimal !== null && !isZero(decimal) && decimal.length <= 24 && Number(decimal) <= mostMajor;
}

function decimalFromText(text: string): Decimal | null {
  if (text.length > 64) return null;
  return decimalFromAmount(text.replace(/[\s\u00a0\u202f£€]+/g, ''));
}
