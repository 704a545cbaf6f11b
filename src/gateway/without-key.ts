/** A line without the key, should an upstream ever echo it. */
export function withoutKey(text: string, key: string): string {
  return key.length < 4 ? text : text.replaceAll(key, '[key]');
}

/** Shorter ones are rehearsals' ("simulator"): words that a body may well hold. */
const shortestSecretKey = 16;

/**
 * A body without the key, stars in its place so that its length and form stay. Bodies are archived as received; this is
 * the one thing that is not.
 */
export function bodyWithoutKey(bytes: Buffer, key: string): Buffer {
  if (key.length < shortestSecretKey) return bytes;
  const hidden = Buffer.from(key, 'latin1');
  let at = bytes.indexOf(hidden);
  if (at < 0) return bytes;
  const masked = Buffer.from(bytes);
  for (; at >= 0; at = masked.indexOf(hidden, at + hidden.length)) masked.fill('*', at, at + hidden.length);
  return masked;
}
