import { decimalFromNumber } from './decimal.ts';
import { measured, type PackSize } from './pack-measure.ts';

/**
 * From the `packSize` list of a details payload: `[{value: "1750", units: "ML"}]`, with `SNGL` counting pieces. What
 * the title says is not asked: where the two agree, that is worth something only when each was read by itself.
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

/** A supermarket pack weighs up to 50 kg (coal, compost); a listed 400 kg is a slip of the unit. */
function isCredible({ size }: PackSize): boolean {
  return Number(size) <= 100_000;
}
