import { visibleLetters } from '../source/normalise/text.ts';

/** Replaces the key in a line, in case an upstream echoes it. */
export function withoutKey(text: string, key: string): string {
  return key.length < 4 ? text : text.replaceAll(patternOf(key), '[key]');
}

/** Shorter keys are test keys such as "simulator": words that may occur in a body. */
const shortestSecretKey = 16;

/** Masks the key in a body with asterisks of equal length. Apart from this, bodies are archived exactly as received. */
export function bodyWithoutKey(bytes: Buffer, key: string): Buffer {
  if (key.length < shortestSecretKey) return bytes;
  // One character per byte, so that lengths stay and bodies that are not text survive.
  const text = bytes.toString('latin1');
  const masked = text.replaceAll(patternOf(key), (found) => '*'.repeat(found.length));
  return masked === text ? bytes : Buffer.from(masked, 'latin1');
}

/**
 * Masks names and texts of a parsed body that would show the key once they are cleaned, because tags, entities or
 * invisible characters are between its letters. Returns whether there are any.
 */
export function maskHiddenKey(body: object, key: string): boolean {
  const isHiddenIn = (text: string): boolean =>
    text.length > key.length &&
    /[&<]|[^ -~]/.test(text) &&
    visibleLetters(text).some((letters) => letters.search(patternOf(key)) >= 0);
  const stars = '*'.repeat(key.length);
  const mask = (parent: Record<string, unknown>): boolean => {
    let isFound = false;
    for (const name in parent) {
      const value = parent[name];
      const isHidden = typeof value === 'string' && isHiddenIn(value);
      const isBelow = typeof value === 'object' && value !== null && mask(value as Record<string, unknown>);
      const isNamed = isHiddenIn(name);
      if (isNamed) delete parent[name];
      if (isHidden || isNamed) parent[isNamed ? stars : name] = isHidden ? stars : value;
      isFound ||= isHidden || isBelow || isNamed;
    }
    return isFound;
  };
  return key.length >= shortestSecretKey && mask(body as Record<string, unknown>);
}

const patterns = new Map<string, RegExp>();

/** Matches the key, each letter as it is, percent-encoded, or escaped as in JSON. */
function patternOf(key: string): RegExp {
  const known = patterns.get(key);
  if (known) return known;
  const letters = [...key].map((letter) => {
    const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
    const anyCase = [...hex].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('');
    const escaped = letter === '"' || letter === '\\' || letter === '/' ? `|\\\\\\${letter}` : '';
    return `(?:${letter.replace(/[^\w]/, '\\$&')}|%${anyCase}|\\\\u00${anyCase}${escaped})`;
  });
  const pattern = new RegExp(letters.join(''), 'g');
  patterns.set(key, pattern);
  return pattern;
}
