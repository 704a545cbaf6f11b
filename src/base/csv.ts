/**
 * One CSV record (RFC 4180) with its line end. Text that a spreadsheet would execute as a formula gets a leading
 * apostrophe (OWASP, CSV injection), because product names may start with a sign.
 */
export function csvRecord(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  const text = asText(value);
  const safe = startsFormula.test(text) && !isNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Includes full-width characters, which spreadsheets with East Asian settings treat alike. */
const startsFormula = /^[=+\-@\t\r\n\0＝＋－＠]/;
const isNumber = /^-?\d+(\.\d+)?$/;

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** A quoted or plain field and its delimiter. */
const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Parses CSV (RFC 4180). An empty unquoted field is null. Throws if the text is not valid CSV. */
export function readCsv(text: string): (string | null)[][] {
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  field.lastIndex = 0;
  while (field.lastIndex < text.length || record.length > 0) {
    const found = field.exec(text);
    if (!found) throw new Error(`a quote in record ${records.length + 1} does not enclose a field`);
    const [, inQuotes, plain, end] = found;
    record.push(inQuotes === undefined ? plain || null : inQuotes.replaceAll('""', '"'));
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}
