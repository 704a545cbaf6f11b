import stringWidth from 'string-width';
import { plainText } from './plain-text.ts';

const defaultLongest = 48;

/**
 * Aligned table with headings; numbers are right-aligned. Control characters are removed and cells are cut at
 * `longestCell` columns of the terminal.
 */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  longestCell = defaultLongest,
): string {
  const texts = rows.map((row) => columns.map((_, i) => cut(cellText(row[i]), longestCell)));
  const widths = columns.map((name, i) => Math.max(stringWidth(name), ...texts.map((row) => stringWidth(row[i]!))));
  const isRight = columns.map((_, i) => rows.length > 0 && rows.every((row) => isNumeric(row[i])));
  // A long last column, such as that of sentences, has a short rule, which fits on the line.
  const rules = widths.map((each, i) => '-'.repeat(i < widths.length - 1 ? each : Math.min(each, defaultLongest)));
  return [columns, rules, ...texts]
    .map((row) => row.map((cell, i) => aligned(cell, widths[i]!, isRight[i]!)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** Headings, of which several may be the same, with the cells below them. */
export type TableColumns<Thing> = readonly (readonly [heading: string, cell: (thing: Thing) => unknown])[];

export function tableOf<Thing>(
  columns: TableColumns<Thing>,
  things: readonly Thing[],
  longestCell = defaultLongest,
): string {
  const headings = columns.map(([heading]) => heading);
  const rows = things.map((thing) => columns.map(([, cell]) => cell(thing)));
  return formatTable(headings, rows, longestCell);
}

function aligned(cell: string, width: number, isRight: boolean): string {
  const padding = ' '.repeat(Math.max(0, width - stringWidth(cell)));
  return isRight ? `${padding}${cell}` : `${cell}${padding}`;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
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

/** Also matches amounts, percentages and unit prices: `£1.20`, `+5.0%`, `2.57/litre`. */
function isNumeric(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || number.test(String(value));
}

const number = /^(-?\d+\.\d+|[-+]?[£€]\d+(\.\d+)?(\/\S+)?|[-+]?\d+(\.\d+)? ?%|)$/;
