/** URL of an image without its size parameters (`?h=225&w=225`); null if it is not an http URL. */
export function readImageUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2_000) return null;
  const end = value.search(/[?#]/);
  const url = (end < 0 ? value : value.slice(0, end)).trim();
  return /^https?:\/\/[^\s\u0000-\u001f\p{Surrogate}]+$/iu.test(url) ? url : null;
}
