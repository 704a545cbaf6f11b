const idSpace = 900_000_000;
const firstId = 100_000_000;
/** Coprime to the id space, and small enough that serial × stride is an exact integer. */
const stride = 82_564_187;
/** The stride times this is one more than a multiple of the id space. */
const inverse = 661_415_123n;

/** Number of generations of a slot before serials repeat. */
export const generationsPerSlot = 64;
/** Serials (1.5 slots per item times generations) times the stride must stay below 2^53. */
export const maxItems = 1_100_000;

/** Bijective, stateless numbering of products. Half of the serials are shared by both regions. */
export type Numbering = ReturnType<typeof createNumbering>;

/**
 * `offset`: slot number of the other region's catalogue at which this one starts; base product numbers are specific to
 * the region.
 */
export function createNumbering(
  seed: number,
  items: number,
  offset: number,
  gtinPrefix: string,
  firstTpnb = 50_000_000,
) {
  const shift = (seed >>> 0) % idSpace;

  function serial(slot: number, generation: number): number {
    return (slot + offset) * generationsPerSlot + (generation % generationsPerSlot);
  }

  function placeOf(code: number): { slot: number; generation: number } | null {
    const found = Number((BigInt((code - shift + idSpace) % idSpace) * inverse) % BigInt(idSpace));
    const slot = Math.floor(found / generationsPerSlot) - offset;
    return slot >= 0 && slot < items ? { slot, generation: found % generationsPerSlot } : null;
  }

  return {
    productId: (slot: number, generation: number) =>
      String(firstId + ((serial(slot, generation) * stride + shift) % idSpace)),
    /** Slot and generation of an id; null if it was never assigned. */
    slotOf(productId: string) {
      const number = /^[1-9]\d{8}$/.test(productId) ? Number(productId) : 0;
      return number < firstId ? null : placeOf(number - firstId);
    },
    tpnb: (slot: number, generation: number) => String(firstTpnb + serial(slot, generation)),
    /** 14 digits with a valid GS1 check digit. */
    gtin(slot: number, generation: number) {
      const code = (serial(slot, generation) * stride + shift) % idSpace;
      const body = `${gtinPrefix}${String(code).padStart(9, '0')}`;
      return body + checkDigit(body);
    },
  };
}

/** GS1 check digit: digits weighted 3 and 1 from the right, complemented to a multiple of ten. */
function checkDigit(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) sum += (body.charCodeAt(index) - 48) * (index % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}
