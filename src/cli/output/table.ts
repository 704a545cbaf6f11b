import stringWidth from 'string-width';
import { plainText } from './plain-text.ts';

/** Between columns, and before continued lines of a row. */
const gap = '  ';

/**
 * Aligned table with headings; numbers are right-aligned. Control characters are removed and cells are cut at
 * `longestCell` columns. If rows are wider than `width`, texts of several words are cut further; if that is not enough,
 * rows continue on indented lines. No line is wider than `width`; null: unlimited.
 */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { longestCell = 48, width = null }: { longestCell?: number; width?: number | null } = {},
): string {
  const longest = Math.max(1, Math.min(longestCell, (width ?? Number.POSITIVE_INFINITY) - gap.length));
  const texts = rows.map((row) => columns.map((_, i) => cut(cellText(row[i]), longest)));
  const headings = columns.map((name) => cut(name, longest));
  const natural = headings.map((name, i) => Math.max(stringWidth(name), ...texts.map((row) => stringWidth(row[i]!))));
  const isWordy = columns.map((_, i) => texts.some((row) => row[i]!.includes(' ')));
  const widths = (width === null ? null : shrunkToFit(natural, { headings, isWordy, width })) ?? natural;
  const isRight = columns.map((_, i) => rows.length > 0 && rows.every((row) => isNumeric(row[i])));
  const parts = splitToFit(widths, width);
  const lines = (row: readonly string[]) =>
    parts.map(({ indent, from, to }) => {
      const cells = row
        .slice(from, to)
        .map((cell, i) => aligned(cut(cell, widths[from + i]!), widths[from + i]!, isRight[from + i]!));
      return `${indent}${cells.join(gap)}`.trimEnd();
    });
  return [headings, widths.map((each) => '-'.repeat(each)), ...texts]
    .flatMap(lines)
    .map((text) => `${text}\n`)
    .join('');
}

/** Table of objects; each heading maps an object to its cell. */
export function tableOf<Thing>(
  columns: Readonly<Record<string, (thing: Thing) => unknown>>,
  things: readonly Thing[],
  layout: { width: number | null },
): string {
  const cells = Object.values(columns);
  return formatTable(
    Object.keys(columns),
    things.map((thing) => cells.map((cell) => cell(thing))),
    layout,
  );
}

/** Minimum width of a cut text of several words. */
const shortestText = 16;

/** Column widths reduced until a row fits on one line; null if that is impossible. */
function shrunkToFit(
  natural: readonly number[],
  { headings, isWordy, width }: { headings: readonly string[]; isWordy: readonly boolean[]; width: number },
): number[] | null {
  const widths = [...natural];
  const least = natural.map((each, i) =>
    isWordy[i] ? Math.min(each, Math.max(shortestText, stringWidth(headings[i]!))) : each,
  );
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  for (let excess = total() - width; excess > 0; excess -= 1) {
    const widest = widths.reduce(
      (best, each, i) => (each > least[i]! && (best < 0 || each > widths[best]!) ? i : best),
      -1,
    );
    if (widest < 0) return null;
    widths[widest]! -= 1;
  }
  return widths;
}

function aligned(cell: string, width: number, isRight: boolean): string {
  const padding = ' '.repeat(Math.max(0, width - stringWidth(cell)));
  return isRight ? `${padding}${cell}` : `${cell}${padding}`;
}

/** Groups columns into lines that fit the width. */
function splitToFit(widths: readonly number[], width: number | null) {
  const parts: { readonly indent: string; readonly from: number; to: number }[] = [{ indent: '', from: 0, to: 0 }];
  let used = 0;
  for (const [i, each] of widths.entries()) {
    const part = parts.at(-1)!;
    const needed = i === part.from ? part.indent.length + each : used + gap.length + each;
    if (width === null || needed <= width || i === part.from) {
      part.to = i + 1;
      used = needed;
    } else {
      parts.push({ indent: gap, from: i, to: i + 1 });
      used = gap.length + each;
    }
  }
  return parts;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  return plainText(String(value)).replace(/ ?[\n\t]+/g, ' ');
}

/** Cuts a text to `longest` terminal columns; some characters take two columns, some none. */
function cut(text: string, longest: number): string {
  if (stringWidth(text) <= longest) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += stringWidth(segment);
    if (used > longest - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Also matches amounts, percentages and unit prices: `£1.20`, `+5.00 %`, `2.57/litre`. */
function isNumeric(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || number.test(String(value));
}

const number = /^(-?\d+\.\d+|[-+]?[£€]\d+(\.\d+)?(\/\S+)?|[-+]?\d+(\.\d+)? %|)$/;
