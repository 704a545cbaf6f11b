/**
 * One CSV record by RFC 4180, line end included. A text that a spreadsheet would run as a formula gets an apostrophe in
 * front (OWASP, CSV injection): product names may begin with a sign.
 */
export function csvRecord(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  const text = asText(value);
  const safe = startsFormula.test(text) && !isNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Also in full width, which spreadsheets with East Asian settings take for the same. */
const startsFormula = /^[=+\-@\t\r\n\0＝＋－＠]/;
const isNumber = /^-?\d+(\.\d+)?$/;

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** A field, in quotes or without, and what ends it. */
const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Records of a CSV text by RFC 4180. An empty field without quotes is null. Throws when it is no CSV. */
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
