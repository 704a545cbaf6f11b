import { decodeHTMLStrict } from 'entities/decode';

/** Maximum length of a text field in UTF-16 units; real descriptions are at most a tenth of it. */
const longestText = 20_000;
const longestLabel = 2_000;
/** The index on titles allows 2,704 bytes, up to three per unit; real titles have up to 150 units. */
const longestTitle = 800;

/**
 * Text that PostgreSQL can store: NUL and other C0 controls are removed, line ends become line feeds, lone surrogates
 * U+FFFD. White space and C1 controls, which occur in garbled text, are kept.
 */
export function storableText(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\p{Surrogate}]/u.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]+/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Title with decoded entities, single spaces and in NFC, otherwise as received. Null if empty. */
export function readTitle(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const title = cap(storableText(onePerRun(decodeEntities(value))), longestTitle);
  return title === '' ? null : title;
}

/** Brand, name or promotion text, read like a title; control characters count as white space. Null if empty. */
export function readLabel(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = decodeEntities(value).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  const label = cap(storableText(onePerRun(text)), longestLabel);
  return label === '' ? null : label;
}

/** Zero-width spaces and byte order marks count as white space. */
function onePerRun(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
}

/** Plain text on one line from prose, markup or a list of lines: without tags, entities decoded, NFC. */
export function readProse(value: unknown): string | null {
  const raw = Array.isArray(value) ? value.filter((line) => typeof line === 'string').join(' ') : value;
  if (typeof raw !== 'string') return null;
  return oneLine(withoutMarkup(raw.slice(0, longestText * 2)));
}

/**
 * Collapses white space and control characters, normalises to NFC and cuts at 20,000 units; null if nothing is left.
 */
export function oneLine(text: string): string | null {
  const line = storableText(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u00a0\u200b\ufeff]+/g, ' ')).trim();
  return line === '' ? null : cap(line, longestText);
}

/** Removes tags (block tags become a space) and decodes entities. Linear: an unclosed `<` is plain text. */
export function withoutMarkup(markup: string): string {
  if (!/[<&]/.test(markup)) return markup;
  return decodeEntities(
    markup.replace(/<[^<>]*>/g, (tag) => (/^<\/?(?:p|br|div|li|ul|ol|tr|td|h\d)\b/i.test(tag) ? ' ' : '')),
  );
}

/**
 * Decodes all named and numeric HTML entities with a semicolon (`AT&T` and `R&D` stay). Double encoding (`&amp;amp;`)
 * is decoded twice.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const once = decode(text);
  return /&amp;/i.test(text) && once.includes('&') ? decode(once) : once;
}

/** Numeric entities without a character (0 and surrogates) are removed. */
const decode = (text: string): string => decodeHTMLStrict(text.replace(/&#(?:0+|x0+|x0*d[89a-f][\da-f]{2});/gi, ''));

/**
 * What people see of a text, whichever reader cleans it: with its tags and without, entities decoded, and no white
 * space, controls, marks or invisible characters.
 */
export const visibleLetters = (text: string): readonly string[] =>
  [decodeEntities(text), withoutMarkup(text)].map((read) => read.replace(/[\s\p{C}\p{M}\p{Z}]+/gu, ''));

/** In NFC, so that the same text in another form is no change. */
function cap(given: string, longest: number): string {
  const text = given.normalize('NFC');
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  // A cut within a surrogate pair would leave an invalid character that PostgreSQL rejects.
  return storableText(cut).replace(/\ufffd$/, '');
}
