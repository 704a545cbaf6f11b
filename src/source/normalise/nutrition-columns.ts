import { pattern } from './pattern.ts';
import { decodeEntities } from './text.ts';

/** A column of amounts: index of its cells and basis of the amounts. */
export interface NutritionColumn {
  readonly index: number;
  /** `100g`, `100ml`, `serving`, `pack`, each with suffix ` prepared` if measured after preparation, or `unknown`. */
  readonly basis: string;
}

export interface NutritionRow {
  readonly name: string;
  /** Cells as printed; null if empty. */
  readonly cells: readonly (string | null)[];
}

/** Amount columns and the rows without the header, for both forms of the table. */
export function readColumns(table: unknown): { columns: readonly NutritionColumn[]; rows: readonly NutritionRow[] } {
  const rows = Array.isArray(table) ? table.slice(0, mostRows).flatMap(readRow) : [];
  const headerAt = rows.findIndex(isHeader);
  const header = headerAt < 0 ? undefined : rows[headerAt];
  const width = Math.max(0, ...rows.map((row) => row.cells.length));
  const isNamed =
    Array.isArray(table) && table.some((row) => typeof row === 'object' && row !== null && 'perServing' in row);
  const columns: NutritionColumn[] = [];
  for (let index = 0; index < width; index += 1) {
    const heading = header?.cells[index] ?? (index === 0 && header !== undefined ? header.name : null);
    const basis = heading !== null ? basisOf(heading) : isNamed && index === 1 ? 'serving' : 'unknown';
    // A second column with the same basis (cooked beside raw) is ignored; the first one counts.
    if (basis !== null && columns.every((column) => column.basis !== basis)) columns.push({ index, basis });
  }
  return { columns, rows: rows.filter((_, index) => index !== headerAt) };
}

/** Basis named by a column heading; null for percentages of reference intake. */
function basisOf(heading: string): string | null {
  const text = heading.slice(0, 200).toLowerCase();
  if (/%|\bri\b|\bnrv\b|\bgda\b|reference intake|guideline|\bdaily\b(?! (?:dose|serving|portion))/.test(text))
    return null;
  const basis = amountBasis(text);
  return basis !== 'unknown' && preparation.test(text) ? `${basis} prepared` : basis;
}

const mostRows = 200;

function amountBasis(text: string): string {
  const hundred = /(?<![\d.,/])100 ?(g|ml)(?![a-z])|(?<![\d.,/])100 ?(gram|millilit)/.exec(text);
  if (hundred !== null) return (hundred[1] ?? hundred[2] ?? 'g').startsWith('g') ? '100g' : '100ml';
  if (/\d\/\d|½|¼|\bhalf\b|\bquarter\b|\bserv|\bportion/.test(text)) return 'serving';
  if (/\b(?:per|each|a|one|whole) (?:pack|packet|pot|can|bottle|tin|tub|tray|carton|pouch|sachet|bag)\b/.test(text))
    return 'pack';
  return /\b(?:per|each|one)\b/.test(text) ? 'serving' : 'unknown';
}

const preparation = new RegExp(pattern`
    \b(?:prepared|cooked|grilled|baked|fried|boiled|roasted|microwaved?|oven|steamed|consumed|made up
    |reconstituted|toasted|poached)\b`);

function isHeader(row: NutritionRow): boolean {
  if (/^\W*(?:typical|average|nutrition)/i.test(row.name)) return true;
  const isNamed = /\p{L}/u.test(row.name);
  return !isNamed && row.cells.some((cell) => cell !== null && /\bper\b|\bcontains\b|100 ?(?:g|ml)\b/i.test(cell));
}

/** Reads the cells of a row. The intake columns `referenceIntake` and `referencePercentage` are ignored. */
function readRow(row: unknown): readonly NutritionRow[] {
  if (typeof row !== 'object' || row === null) return [];
  const { name, perComp, perServing, value1, value2, value3, value4 } = row as Record<string, unknown>;
  const isNamedForm = perComp !== undefined || perServing !== undefined;
  const cells = (isNamedForm ? [perComp, perServing] : [value1, value2, value3, value4]).map(cellOf);
  while (cells.length > 0 && cells.at(-1) === null) cells.pop();
  return [
    {
      name:
        typeof name === 'string'
          ? decodeEntities(name.slice(0, 300))
              .replace(/[\s\u0000-\u001f\u00a0]+/g, ' ')
              .trim()
          : '',
      cells,
    },
  ];
}

function cellOf(cell: unknown): string | null {
  if (typeof cell === 'number' && Number.isFinite(cell)) return String(cell);
  if (typeof cell !== 'string') return null;
  const text = decodeEntities(cell.slice(0, 200))
    .replace(/[\s\u0000-\u001f\u00a0]+/g, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
  return text === '' || /^(?:null(?: ?\/ ?null)?|-+|n\/?a|nil data)$/i.test(text) ? null : text;
}
