import type { ExtraField } from '../../base/model/index.ts';
import { storableText } from '../../source/normalise/text.ts';

/** A value in a form that casts to its type; null with a reason if it does not fit the type. */
export interface ReadValue {
  readonly value: string | null;
  readonly reason: string | null;
}

const nothing: ReadValue = { value: null, reason: null };
const longestText = 2_000;

/** Reads a field of a product; undefined: the product does not have it. */
export function readValue(fields: object, { paths, type }: ExtraField): ReadValue | undefined {
  for (const path of paths) {
    const value = valueAt(fields, path);
    if (value !== undefined) return asType(value, type);
  }
  return undefined;
}

/** Below null, everything is null. */
function valueAt(fields: object, path: string): unknown {
  let at: unknown = fields;
  for (const step of path.split('.')) {
    if (at === null) return null;
    if (typeof at !== 'object' || Array.isArray(at) || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}

function asType(value: unknown, type: ExtraField['type']): ReadValue {
  if (value === null || value === '') return nothing;
  const written = typeof value === 'object' ? null : storableText(String(value)).trim();
  if (written === '') return nothing;
  const fitting = written === null ? null : convert[type](written);
  if (fitting !== null) return { value: fitting, reason: null };
  const kind = Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
  return { value: null, reason: `${kind} does not fit ${type}` };
}

const convert: Readonly<Record<ExtraField['type'], (text: string) => string | null>> = {
  text: (text) => (text.length > longestText ? null : text),
  // Numbers of more digits would be rounded.
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?(e[+-]?\d{1,2})?$/i.test(text) ? String(Number(text)) : null),
  boolean: (text) => (text === 'true' || text === 'false' ? text : null),
  /** The date as written, also of an instant. */
  date: (text) => {
    const day = /^\d{4}-\d\d-\d\d(?=$|[T ])/.exec(text)?.[0];
    const isDay = day !== undefined && day >= '0001' && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
    return isDay ? day : null;
  },
};
