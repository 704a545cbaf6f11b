/**
 * Records of CSV as PostgreSQL's COPY writes it: fields apart by commas, records by line ends, `"` around what needs
 * it. An empty field without quotes is null. Also reads what `csvRecord` writes. Throws on quotes that do not enclose a
 * whole field.
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<(string | null)[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk;
    let from = 0;
    // What follows the last line end may go on in the next chunk.
    for (let end = endOfRecord(text, from); end >= 0; end = endOfRecord(text, from)) {
      yield fieldsOf(text.slice(from, end));
      from = end + 1;
    }
    rest = text.slice(from);
  }
  if (rest !== '') yield fieldsOf(rest);
}

/** Where the line feed is that ends the record beginning at `from`; -1: not in this text. */
function endOfRecord(text: string, from: number): number {
  let end = text.indexOf('\n', from);
  let quote = text.indexOf('"', from);
  while (end >= 0 && quote >= 0 && quote < end) {
    const closing = text.indexOf('"', quote + 1);
    if (closing < 0) return -1;
    if (closing > end) end = text.indexOf('\n', closing);
    quote = text.indexOf('"', closing + 1);
  }
  return end;
}

function fieldsOf(line: string): (string | null)[] {
  const record = line.endsWith('\r') ? line.slice(0, -1) : line;
  const fields: (string | null)[] = [];
  for (let at = 0; at <= record.length; ) {
    if (record[at] === '"') {
      let text = '';
      let from = at + 1;
      for (;;) {
        const quote = record.indexOf('"', from);
        if (quote < 0) throw new Error('a quoted field has no end');
        text += record.slice(from, quote);
        if (record[quote + 1] !== '"') {
          at = quote + 2;
          break;
        }
        text += '"';
        from = quote + 2;
      }
      if (at <= record.length && record[at - 1] !== ',') throw new Error('something follows the end of a quoted field');
      fields.push(text);
    } else {
      const comma = record.indexOf(',', at);
      const end = comma < 0 ? record.length : comma;
      const text = record.slice(at, end);
      if (text.includes('"')) throw new Error('a quote stands within a field');
      fields.push(text === '' ? null : text);
      at = end + 1;
    }
  }
  return fields;
}
