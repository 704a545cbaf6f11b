import { decodeHTMLStrict } from 'entities';

/** Where something stands in bytes; the end is exclusive. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Bytes after some escapes were resolved, and where each of them, and their end, came from. */
interface Resolved {
  readonly bytes: Buffer;
  readonly origins: Uint32Array | null;
}

/** We resolve JSON's escapes once and entities twice; what is resolved more often never becomes the key here. */
const mostPasses = 4;

/**
 * Where the key stands in a body or a line, in order: as it is, in UTF-16 or UTF-32, or with any of its letters as an
 * escape of JSON (`\u006b`), of a URL (`%6b`) or of HTML (`&#107;`, `&#x6b;`, `&lowbar;`), also one within another.
 * Linear in the bytes.
 */
export function findKey(bytes: Buffer, key: Buffer): readonly Place[] {
  const places: Place[] = [];
  let resolved: Resolved | null = { bytes, origins: null };
  for (let pass = 0; resolved !== null; pass++) {
    const { bytes: seen, origins }: Resolved = resolved;
    for (let at = seen.indexOf(key); at >= 0; at = seen.indexOf(key, at + key.length)) {
      const end = at + key.length;
      places.push(origins === null ? { start: at, end } : { start: origins[at]!, end: origins[end]! });
    }
    resolved = pass < mostPasses && mayHide(seen, key) ? resolve(resolved) : null;
  }
  return apart(places);
}

/** In order; those that meet are one. */
function apart(places: readonly Place[]): readonly Place[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

const nul = 0x00;
const quote = 0x22;
const hash = 0x23;
const percent = 0x25;
const ampersand = 0x26;
const slash = 0x2f;
const semicolon = 0x3b;
const backslash = 0x5c;
const letterU = 0x75;
const letterX = 0x78;
const beginnings = [nul, percent, ampersand, backslash];
const begins = Uint8Array.from({ length: 256 }, (_, byte) => Number(beginnings.includes(byte)));

/**
 * Whether some escape could be one of the key's letters, or part of another escape. Pages are full of `\"` and
 * `&amp; `, which are neither.
 */
function mayHide(bytes: Buffer, key: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (begins[bytes[at]!] !== 1) continue;
    const written = readEscape(bytes, at);
    if (written === null) continue;
    const { letter, end } = written;
    if (letter === null || isPartOfEscape(letter) || key.includes(letter)) {
      if (letter !== ampersand || key.includes(letter) || isPartOfEscape(bytes[end] ?? 0)) return true;
    }
  }
  return false;
}

function isPartOfEscape(byte: number): boolean {
  return begins[byte] === 1 || byte === hash || byte === semicolon || digitOf(byte) >= 0 || isLatinLetter(byte);
}

/** Replaces each escape sequence by the character it stands for. */
function resolve({ bytes, origins }: Resolved): Resolved {
  const letters = Buffer.allocUnsafe(bytes.length);
  const from = new Uint32Array(bytes.length + 1);
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    const written = begins[byte] === 1 ? readEscape(bytes, at) : null;
    from[count] = origins === null ? at : origins[at]!;
    if (written === null) {
      letters[count++] = byte;
      at += 1;
    } else {
      if (written.letter !== null) letters[count++] = written.letter;
      at = written.end;
    }
  }
  from[count] = origins === null ? bytes.length : origins[bytes.length]!;
  return { bytes: letters.subarray(0, count), origins: from };
}

interface Escape {
  /** Null: the NULs of UTF-16, which are no letters. */
  readonly letter: number | null;
  readonly end: number;
}

function readEscape(bytes: Buffer, at: number): Escape | null {
  switch (bytes[at]) {
    case nul:
      return { letter: null, end: at + 1 };
    case percent:
      return readHex(bytes, at + 1, at + 3);
    case backslash:
      return readBackslash(bytes, at + 1);
    default:
      return bytes[at + 1] === hash ? readNumber(bytes, at + 2) : readName(bytes, at + 1);
  }
}

function readBackslash(bytes: Buffer, at: number): Escape | null {
  const next = bytes[at];
  if (next === letterU) return readHex(bytes, at + 1, at + 5);
  return next === backslash || next === slash || next === quote ? { letter: next, end: at + 1 } : null;
}

function readHex(bytes: Buffer, start: number, end: number): Escape | null {
  let value = 0;
  for (let at = start; at < end; at++) {
    const digit = digitOf(bytes[at]);
    if (digit < 0) return null;
    value = value * 16 + digit;
  }
  return asEscape(value, end);
}

/** `107;` or `x6b;` behind `&#`; browsers do without the semicolon. */
function readNumber(bytes: Buffer, start: number): Escape | null {
  const isHex = ((bytes[start] ?? 0) | 0x20) === letterX;
  const base = isHex ? 16 : 10;
  let at = isHex ? start + 1 : start;
  let value = 0;
  for (let digit = digitOf(bytes[at]); digit >= 0 && digit < base; digit = digitOf(bytes[++at])) {
    value = Math.min(value * base + digit, largestLetter + 1);
  }
  return asEscape(value, bytes[at] === semicolon ? at + 1 : at);
}

function readName(bytes: Buffer, start: number): Escape | null {
  let end = start;
  while (isLatinLetter(bytes[end])) end += 1;
  if (bytes[end] !== semicolon || end - start > longestName) return null;
  const letter = decodeHTMLStrict(bytes.toString('latin1', start - 1, end + 1));
  return letter.length === 1 ? asEscape(letter.charCodeAt(0), end + 1) : null;
}

/** HTML has no longer name for what a key can be made of. */
const longestName = 'DiacriticalGrave'.length;

/** Keys are sent in a header: they have no others. */
const largestLetter = 0x7e;

const asEscape = (value: number, end: number): Escape | null =>
  value > 0 && value <= largestLetter ? { letter: value, end } : null;

function isLatinLetter(byte = 0): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
