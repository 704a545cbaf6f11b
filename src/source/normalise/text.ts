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
 * A title as received (double spaces, odd spellings and all), storable, without white space at its ends; null when
 * empty.
 */
export function readTitle(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const title = cap(storableText(value).trim(), longestTitle);
  return title === '' ? null : title;
}

/** Verbatim but for control characters and white space at the ends: promotion texts, brands. null when empty. */
export function readLabel(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const label = cap(storableText(value.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')).trim(), longestLabel);
  return label === '' ? null : label;
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

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  pound: '£',
  euro: '€',
  deg: '°',
  micro: 'µ',
  reg: '®',
  trade: '™',
  copy: '©',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  agrave: 'à',
  acirc: 'â',
  ccedil: 'ç',
  ocirc: 'ô',
  ouml: 'ö',
  uuml: 'ü',
  auml: 'ä',
  iuml: 'ï',
  ntilde: 'ñ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  times: '×',
};

/** `&lt;0.5g` is `<0.5g`; a name that is not known stays. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}\d{0,2}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? entities[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}

function cap(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  // A cut through a surrogate pair would leave half a character, which PostgreSQL refuses.
  return storableText(cut).replace(/\ufffd$/, '');
}
