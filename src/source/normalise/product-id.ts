/**
 * A product id as the catalogue keeps it, a string: from a string, a number (whole, up to 2^53: beyond that JSON has
 * already lost digits) or a product address (`https://…/products/330659955`). Leading zeros stay. null when it is none
 * of these.
 */
export function productIdFrom(idOrUrl: unknown): string | null {
  if (typeof idOrUrl === 'number') return Number.isSafeInteger(idOrUrl) && idOrUrl > 0 ? String(idOrUrl) : null;
  if (typeof idOrUrl !== 'string') return null;
  const text = idOrUrl.trim();
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/.test(text)) return text;
  return /^https?:\/\/[^\s?#]{1,300}\/products\/(\d{1,20})(?:[/?#]|$)/i.exec(text.slice(0, 500))?.[1] ?? null;
}
