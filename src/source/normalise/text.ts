import { decodeHTMLStrict } from 'entities/decode';

/**
 * Longest text kept of any one field, in UTF-16 units: ten times the longest description seen, far below what hurts.
 */
const longestText = 20_000;
const longestLabel = 2_000;
/**
 * The index over titles takes 2,704 bytes, three of which a unit may need; the longest title seen has some 150 units.
 */
const longestTitle = 800;

/**
 * The text as received but for what PostgreSQL cannot store and what no text needs: NUL and other C0 controls are
 * dropped, line ends become line feeds, a lone surrogate becomes U+FFFD. White space stays, also at the ends; so do C1
 * controls, which garbled letters are made of.
 */
export function storableText(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f\p{Surrogate}]/u.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]+/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * A title with its entities decoded and each run of white space as one space; odd spellings stay. Null when empty.
 */
export function readTitle(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const title = cap(storableText(onePerRun(decodeEntities(value))), longestTitle);
  return title === '' ? null : title;
}

/** A brand, a name or a promotion text, read like a title; control characters count as white space. Null when empty. */
export function readLabel(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = decodeEntities(value).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  const label = cap(storableText(onePerRun(text)), longestLabel);
  return label === '' ? null : label;
}

/** Zero-width spaces and byte order marks are white space, too. */
function onePerRun(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
}

/** One line of plain text from prose, perhaps with markup or as a list of lines: tags gone, entities decoded, NFC. */
export function readProse(value: unknown): string | null {
  const raw = Array.isArray(value) ? value.filter((line) => typeof line === 'string').join(' ') : value;
  if (typeof raw !== 'string') return null;
  return oneLine(withoutMarkup(raw.slice(0, longestText * 2)));
}

/** Collapses white space and control characters, composes accents (NFC), cuts at 20,000; null when nothing is left. */
export function oneLine(text: string): string | null {
  const line = storableText(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u00a0\u200b\ufeff]+/g, ' '))
    .trim()
    .normalize('NFC');
  return line === '' ? null : cap(line, longestText);
}

/** Tags removed (block tags leave a space) and entities decoded. Linear: a `<` that is never closed is plain text. */
export function withoutMarkup(markup: string): string {
  if (!/[<&]/.test(markup)) return markup;
  return decodeEntities(
    markup.replace(/<[^<>]*>/g, (tag) => (/^<\/?(?:p|br|div|li|ul|ol|tr|td|h\d)\b/i.test(tag) ? ' ' : '')),
  );
}

/**
 * The text with its HTML entities as characters: every name HTML knows and every number, with the semicolon (`AT&T` and
 * `R&D` stay). What was encoded twice (`&amp;amp;`) is decoded twice.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  const once = decode(text);
  return /&amp;/i.test(text) && once.includes('&') ? decode(once) : once;
}

/** Numbers that are no character (0 and halves of surrogate pairs) stand for nothing. */
const decode = (text: string): string => decodeHTMLStrict(text.replace(/&#(?:0+|x0+|x0*d[89a-f][\da-f]{2});/gi, ''));

function cap(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  // A cut through a surrogate pair would leave half a character, which PostgreSQL refuses.
  return storableText(cut).replace(/\ufffd$/, '');
}
