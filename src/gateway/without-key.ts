import { findKey } from './find-key.ts';

/** A line without the key, should an upstream ever echo it. */
export function withoutKey(text: string, key: string): string {
  if (key.length < 4) return text;
  const bytes = Buffer.from(text);
  const places = findKey(bytes, Buffer.from(key));
  if (places.length === 0) return text;
  const ends = [0, ...places.map(({ end }) => end)];
  const starts = [...places.map(({ start }) => start), bytes.length];
  return starts.map((start, i) => bytes.toString('utf8', ends[i], start)).join('[key]');
}

/** Shorter ones are rehearsals' ("simulator"): words that a body may well hold. */
const shortestSecretKey = 16;

/**
 * A body without the key, stars in its place so that its length and form stay. Bodies are archived as received; this is
 * the one thing that is not.
 */
export function bodyWithoutKey(bytes: Buffer, key: string): Buffer {
  if (key.length < shortestSecretKey) return bytes;
  const places = findKey(bytes, Buffer.from(key, 'latin1'));
  if (places.length === 0) return bytes;
  const masked = Buffer.from(bytes);
  for (const { start, end } of places) masked.fill('*', start, end);
  return masked;
}
