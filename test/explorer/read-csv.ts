/** Records of a CSV by column name; empty values are null. */
export function readCsv(text: string): Record<string, string | null>[] {
  const [head, ...records] = [...recordsOf(text)];
  return records.map((values) =>
    Object.fromEntries(head!.map((name, i) => [name, values[i] === '' ? null : values[i]!])),
  );
}

function* recordsOf(text: string): Generator<string[]> {
  let values: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && values.length === 0 && !quoted && !plain) return;
    values.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    yield values;
    values = [];
  }
}
