/** A row in PostgreSQL's COPY text format (documentation of COPY, section "Text Format"), line feed included. */
export function copyRow(values: readonly CopyValue[]): string {
  let line = copyField(values[0] ?? null);
  for (let i = 1; i < values.length; i++) line += `\t${copyField(values[i] ?? null)}`;
  return `${line}\n`;
}

export type CopyValue = string | number | boolean | null;

function copyField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return needsEscape.test(value) ? value.replace(escaped, escapeOne) : value;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
}

const needsEscape = /[\\\t\n\r]/;
const escaped = /[\\\t\n\r]/g;
const escapeOne = (c: string): string => (c === '\\' ? '\\\\' : c === '\t' ? '\\t' : c === '\n' ? '\\n' : '\\r');
