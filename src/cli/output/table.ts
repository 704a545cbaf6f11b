import stringWidth from 'string-width';
import { capital, count } from '../../base/format.ts';
import { plainText, widthOf, wrapped } from './plain-text.ts';

const usualLongest = 48;
/** On a narrow terminal, texts wider than the first are cut, at most to the second. */
const [longText, leastText] = [14, 20];

/** Headings, of which several may be the same, the cells below them, and whether to align right: by default numbers. */
export type TableColumns<Thing> = readonly (readonly [string, (thing: Thing) => unknown, boolean?])[];

/** Aligned table with headings. Columns without a value are only named below it. Control characters are removed. */
export function tableOf<Thing>(columns: TableColumns<Thing>, things: readonly Thing[], longest = usualLongest): string {
  const lanes = columns.map(([heading, cell, isRight]): Lane => {
    const values = things.map(cell);
    const cells = values.map((value) => cut(cellText(value), longest));
    return { heading: [capital(heading)], cells, isRight: isRight ?? (values.length > 0 && values.every(isNumeric)) };
  });
  const filled = lanes.filter(({ cells }) => cells.length === 0 || cells.some((cell) => cell !== ''));
  const empty = lanes.filter((lane) => !filled.includes(lane)).flatMap(({ heading }) => heading);
  const most = widthOf(process.stdout);
  // Sentences of a longer column are not cut: the terminal wraps them.
  const room = longest > usualLongest ? Number.POSITIVE_INFINITY : most;
  // What is the same in all rows is said once if that leaves more room for the rest, but numbers are what is asked for.
  const isTight = things.length > 1 && isTooWide(filled.map(widthOfLane), room);
  const isSame = ({ cells, isRight }: Lane) => cells.every((cell) => cell === (isRight ? '0' : cells[0]));
  const varied = filled.filter((lane) => !(isTight && isSame(lane)));
  const same = filled.filter((lane) => !varied.includes(lane)).map(({ heading, cells }) => `${heading} ${cells[0]}`);
  const { shown, left } = fitted(varied.length > 0 ? varied : filled, room);
  const widths = shown.map(widthOfLane);
  const depth = Math.max(...shown.map(({ heading }) => heading.length));
  const lines = [
    ...Array.from({ length: depth }, (_, i) => shown.map(({ heading }) => heading.at(i - depth) ?? '')),
    // A long last column, such as that of sentences, has a short rule, which fits on the line.
    widths.map((width, i) => '-'.repeat(i < widths.length - 1 ? width : Math.min(width, usualLongest))),
    ...things.map((_, row) => shown.map(({ cells }) => cells[row]!)),
  ].map((cells) => cells.map((cell, i) => aligned(cell, widths[i]!, shown[i]!.isRight)).join('  '));
  const more = Object.entries({ 'In all rows': same, 'Empty here': empty, 'A wider terminal also shows': left });
  const said = more.filter(([, names]) => names.length > 0).map(([what, names]) => `${what}: ${names.join('; ')}`);
  return [...lines, ...said.map((line) => wrapped(line, most))].map((line) => `${line.trimEnd()}\n`).join('');
}

/** The same with one list of cells per row. */
export const formatTable = (headings: readonly string[], rows: readonly (readonly unknown[])[], longest?: number) =>
  tableOf<readonly unknown[]>(
    headings.map((heading, i) => [heading, (row) => row[i]]),
    rows,
    longest,
  );

/** A column; its heading has several lines on a narrow terminal. */
interface Lane {
  readonly heading: readonly string[];
  readonly cells: readonly string[];
  readonly isRight: boolean;
}

const widest = (texts: readonly string[]) => Math.max(...texts.map((text) => stringWidth(text)));
const widthOfLane = ({ heading, cells }: Lane) => widest([...heading, ...cells]);

const isTooWide = (widths: readonly number[], most: number) => widths.reduce((sum, each) => sum + each + 2, -2) > most;

/** Wraps headings, cuts long texts, then leaves out the last columns, until it fits. */
function fitted(lanes: readonly Lane[], most: number, left: readonly string[] = []) {
  if (!isTooWide(lanes.map(widthOfLane), most) || lanes.length < 2) return { shown: lanes, left };
  const narrow = lanes.map((lane) => ({ ...lane, heading: linesOf(lane) }));
  const widths = narrow.map(widthOfLane);
  const isLong = widths.map((width, i) => !narrow[i]!.isRight && width > longText);
  for (let longest = Math.max(leastText, ...widths); longest >= leastText; longest -= 1) {
    const limits = widths.map((width, i) => (isLong[i] ? Math.min(width, longest) : width));
    if (isTooWide(limits, most)) continue;
    const shown = narrow.map((lane, i) => ({ ...lane, cells: lane.cells.map((text) => cut(text, limits[i]!)) }));
    return { shown, left };
  }
  return fitted(lanes.slice(0, -1), most, [lanes.at(-1)!.heading.join(' '), ...left]);
}

/** The heading in lines no wider than the cells, or than its longest word. */
function linesOf({ heading, cells }: Lane): readonly string[] {
  const text = heading.join(' ');
  const most = Math.max(Math.min(leastText, widest(cells)), widest(text.split(' ')));
  return text.match(new RegExp(`\\S.{0,${most - 1}}(?!\\S)`, 'g')) ?? [text];
}

function aligned(cell: string, width: number, isRight: boolean): string {
  const padding = ' '.repeat(Math.max(0, width - stringWidth(cell)));
  return isRight ? `${padding}${cell}` : `${cell}${padding}`;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return count(value);
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
