import { readCsv as readRecords } from '../../src/base/csv.ts';

/** Records of a CSV by column name; empty values are null. */
export function readCsv(text: string): Record<string, string | null>[] {
  const [head, ...records] = readRecords(text);
  return records.map((values) => Object.fromEntries(head!.map((name, i) => [name!, values[i] || null])));
}
