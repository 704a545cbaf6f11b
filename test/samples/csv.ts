/**
 * Rows of a CSV text as records by the names in its first line; quoted fields may hold commas, quotes and line ends.
 */
export function readCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const rows: string[][] = [[]];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && (character === ',' || character === '\n' || character === undefined)) {
      rows.at(-1)?.push(field.replace(/\r$/, ''));
      field = '';
      if (character === '\n') rows.push([]);
    } else {
      field += character ?? '';
    }
  }
  const [names = [], ...records] = rows.filter((row) => row.length > 1);
  return records.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}
