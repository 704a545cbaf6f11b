import { plainText } from './plain-text.ts';

/** Between two columns, and in front of the lines that a row goes on with. */
const gap = '  ';

/**
 * Rows as aligned columns below their names, numbers to the right. Texts of others cannot steer the terminal, and are cut at
 * `longestCell` characters: a table is for looking at. Where a row is wider than `width` it goes on in lines of its own, indented;
 * no line is wider. Null: any width.
 */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  { longestCell = 48, width = null }: { longestCell?: number; width?: number | null } = {},
): string {
  const longest = Math.max(1, Math.min(longestCell, (width ?? Number.POSITIVE_INFINITY) - gap.length));
  const cells = rows.map((row) => columns.map((_, i) => cut(cellText(row[i]), longest)));
  const headings = columns.map((name) => cut(name, longest));
  const widths = headings.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)));
  const isRight = columns.map((_, i) => rows.length > 0 && rows.every((row) => isNumeric(row[i])));
  const parts = splitToFit(widths, width);
  const lines = (row: readonly string[]) =>
    parts.map(({ indent, from, to }) => {
      const aligned = row
        .slice(from, to)
        .map((cell, i) => (isRight[from + i] ? cell.padStart(widths[from + i]!) : cell.padEnd(widths[from + i]!)));
      return `${indent}${aligned.join(gap)}`.trimEnd();
    });
  return [headings, widths.map((each) => '-'.repeat(each)), ...cells]
    .flatMap(lines)
    .map((text) => `${text}\n`)
    .join('');
}

/** Which columns stand in one line together. */
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

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

function isNumeric(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || /^-?\d+\.\d+$/.test(String(value));
}
