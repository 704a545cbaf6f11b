import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MovedField } from '../endpoints/move-fields.ts';

/** Where the moved fields are listed, from the root of the project. */
export const mappingFile = 'src/endpoints/moved-fields.ts';

export function readMapping(): string {
  return readFileSync(fileURLToPath(new URL(`../../${mappingFile}`, import.meta.url)), 'utf8');
}

/** Lines around a change. */
const context = 3;

/** A unified diff that adds the fields to the list, for `git apply` or `patch -p1`. Throws a RangeError where the file has no list. */
export function diffOf(moved: readonly MovedField[], text: string): string {
  const lines = text.split('\n');
  const end = lines.lastIndexOf('];');
  if (end < 0) throw new RangeError(`${mappingFile} has no list`);
  const from = Math.max(0, end - context);
  const after = lines.slice(end, Math.min(lines.length - 1, end + context));
  const added = moved.map(
    ({ endpoint, from: source, to }) => `+  { endpoint: '${endpoint}', from: '${source}', to: '${to}' },`,
  );
  const kept = [...lines.slice(from, end), ...after];
  return [
    `--- a/${mappingFile}`,
    `+++ b/${mappingFile}`,
    `@@ -${from + 1},${kept.length} +${from + 1},${kept.length + added.length} @@`,
    ...lines.slice(from, end).map((line) => ` ${line}`),
    ...added,
    ...after.map((line) => ` ${line}`),
    '',
  ].join('\n');
}
