/** Path and query as they are sent. Percent-encoded throughout: `+` for a space would change category ids, which are base64. */
export function requestTarget(path: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
