/**
 * Product id as a string: from a string, an integer up to 2^53 (larger JSON numbers have lost digits) or a product
 * address (`https://…/products/330659955`). Keeps leading zeros. Null otherwise.
 */
export function productIdFrom(idOrUrl: unknown): string | null {
  if (typeof idOrUrl === 'number') return Number.isSafeInteger(idOrUrl) && idOrUrl > 0 ? String(idOrUrl) : null;
  if (typeof idOrUrl !== 'string') return null;
  const text = idOrUrl.trim();
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(text)) return text;
  return /^https?:\/\/[^\s?#]{1,300}\/products\/(\d{1,20})(?:[/?#]|$)/i.exec(text.slice(0, 500))?.[1] ?? null;
}
