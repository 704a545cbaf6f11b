/** Replaces the key in a line, in case an upstream echoes it. */
export function withoutKey(text: string, key: string): string {
  if (key.length < 4) return text;
  // As bytes, because the pattern matches bytes.
  const masked = Buffer.from(text).toString('latin1').replace(patternOf(key), '[key]');
  return Buffer.from(masked, 'latin1').toString('utf8');
}

/** Shorter keys are test keys such as "simulator": words that may occur in a body. */
const shortestSecretKey = 16;

/** Masks the key in a body with asterisks of equal length. Apart from this, bodies are archived exactly as received. */
export function bodyWithoutKey(bytes: Buffer, key: string): Buffer {
  if (key.length < shortestSecretKey) return bytes;
  const text = bytes.toString('latin1');
  const masked = text.replace(patternOf(key), (found) => '*'.repeat(found.length));
  return masked === text ? bytes : Buffer.from(masked, 'latin1');
}

const patterns = new Map<string, RegExp>();

/**
 * Matches the key as it is, in UTF-16 or UTF-32, or with any of its characters as an escape of JSON (`\u006b`), of a
 * URL (`%6b`) or of HTML (`&#107;`, `&#x6b;`), also with the escape's own first character escaped once more.
 */
function patternOf(key: string): RegExp {
  let pattern = patterns.get(key);
  if (!pattern) {
    pattern = new RegExp([...key].map(writtenAs).join('\\0*'), 'g');
    patterns.set(key, pattern);
  }
  return pattern;
}

function writtenAs(character: string): string {
  const code = character.charCodeAt(0);
  const hex = [...code.toString(16).padStart(2, '0')]
    .map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
    .join('');
  const ampersand = '(?:&(?:amp;)?|\\\\u0026)';
  return [
    `(?:\\x${code.toString(16).padStart(2, '0')}`,
    `\\\\{1,4}u00${hex}`,
    `%(?:25)?${hex}`,
    `${ampersand}#0{0,8}${code};?`,
    `${ampersand}#[xX]0{0,8}${hex};?)`,
  ].join('|');
}
