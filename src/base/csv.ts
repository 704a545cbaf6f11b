/**
 * One CSV record (RFC 4180) with its line end. Text that a spreadsheet would execute as a formula gets a leading
 * apostrophe (OWASP, CSV injection), because product names may start with a sign.
 */
export function csvRecord(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  const text = asText(value);
  const safe = isNumber.test(text) ? text : text.replace(formulaStart, "$<before>'").replace(/^(?=[\t\r\n])/, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * At the beginning, and behind what ends a cell or a line where commas do not: spreadsheets of many countries separate
 * by `;`, and take no notice of quotes within. Also in full width, which those with East Asian settings take for the
 * same.
 */
const formulaStart = /(?<before>^|[;|\t\r\n]["\p{Zs}]*)(?=[=+\-@\0＝＋－＠])/gu;
const isNumber = /^-?\d+(\.\d+)?$/;

const asText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value ?? ''));

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
