import { plainText } from './plain-text.ts';

/**
 * Rows as aligned columns below their names, numbers to the right. Texts of others cannot steer the terminal, and are cut at
 * `longestCell` characters: a table is for looking at.
 */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  longestCell = 48,
): string {
  const cells = rows.map((row) => columns.map((_, i) => cellText(row[i], longestCell)));
  const widths = columns.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)));
  const isRight = columns.map((_, i) => rows.length > 0 && rows.every((row) => isNumeric(row[i])));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (isRight[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)]
    .map((text) => `${text}\n`)
    .join('');
}

function cellText(value: unknown, longestCell: number): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  const text = plainText(String(value)).replace(/ ?[\n\t]+/g, ' ');
  return text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
}

function isNumeric(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || /^-?\d+\.\d+$/.test(String(value));
}
