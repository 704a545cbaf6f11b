import { findKey } from './find-key.ts';

/** Replaces the key in a line, in case an upstream echoes it. */
export function withoutKey(text: string, key: string): string {
  if (key.length < 4) return text;
  const bytes = Buffer.from(text);
  const places = findKey(bytes, Buffer.from(key));
  if (places.length === 0) return text;
  const ends = [0, ...places.map(({ end }) => end)];
  const starts = [...places.map(({ start }) => start), bytes.length];
  return starts.map((start, i) => bytes.toString('utf8', ends[i], start)).join('[key]');
}

/** Shorter keys are test keys such as "simulator": words that may occur in a body. */
const shortestSecretKey = 16;

/** Masks the key in a body with asterisks of equal length. Apart from this, bodies are archived exactly as received. */
export function bodyWithoutKey(bytes: Buffer, key: string): Buffer {
  if (key.length < shortestSecretKey) return bytes;
  const places = findKey(bytes, Buffer.from(key, 'latin1'));
  if (places.length === 0) return bytes;
  const masked = Buffer.from(bytes);
  for (const { start, end } of places) masked.fill('*', start, end);
  return masked;
}
