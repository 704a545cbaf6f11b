import { decimalFromNumber } from './decimal.ts';
import { measured, type PackSize } from './pack-measure.ts';

/**
 * Pack size from the `packSize` list of details: `[{value: "1750", units: "ML"}]`, with `SNGL` for pieces. Independent
 * of the title, so that agreement of both is evidence.
 */
export function packSizeFromList(list: unknown): PackSize | null {
  if (!Array.isArray(list)) return null;
  let content: PackSize | null = null;
  let count: number | null = null;
  for (const entry of list.slice(0, 20)) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { value, units } = entry as { value?: unknown; units?: unknown };
    if (typeof units !== 'string') continue;
    const amount = amountOf(value);
    if (amount === null) continue;
    if (/^(?:sngl|each|ea)$/i.test(units.trim())) count ??= wholeCount(amount);
    else content ??= measured(amount, units.trim());
  }
  if (content !== null) return isCredible(content) ? { ...content, count } : null;
  return count === null ? null : { size: String(count), measure: 'each', count };
}

function amountOf(value: unknown): string | null {
  if (typeof value === 'number') return decimalFromNumber(value);
  return typeof value === 'string' ? value.trim() : null;
}

function wholeCount(amount: string): number | null {
  const count = /^\d{1,6}(?:\.0{1,6})?$/.test(amount) ? Number(amount) : 0;
  return count > 0 && count <= 9_999 ? count : null;
}

/** Packs weigh up to 50 kg (coal, compost); larger values have a wrong unit. */
function isCredible({ size }: PackSize): boolean {
  return Number(size) <= 100_000;
}
