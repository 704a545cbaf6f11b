const idSpace = 900_000_000;
const firstId = 100_000_000;
/** Coprime to the id space, and small enough that serial × stride is an exact integer. */
const stride = 82_564_187;
const inverse = inverseOf(stride, idSpace);

/** Number of generations of a slot before serials repeat. */
export const generationsPerSlot = 64;
/** Serials (1.5 slots per item times generations) times the stride must stay below 2^53. */
export const mostItems = 1_100_000;

/** Bijective, stateless numbering of products. Half of the serials are shared by both regions. */
export interface Numbering {
  productId(slot: number, generation: number): string;
  /** Slot and generation of an id; null if it was never assigned. */
  slotOf(productId: string): { readonly slot: number; readonly generation: number } | null;
  tpnb(slot: number, generation: number): string;
  /** 14 digits with a valid GS1 check digit. */
  gtin(slot: number, generation: number): string;
  slotOfGtin(gtin: string): { readonly slot: number; readonly generation: number } | null;
}

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
): Numbering {
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
    productId: (slot, generation) => String(firstId + ((serial(slot, generation) * stride + shift) % idSpace)),
    slotOf(productId) {
      const number = /^[1-9]\d{8}$/.test(productId) ? Number(productId) : 0;
      return number < firstId ? null : placeOf(number - firstId);
    },
    tpnb: (slot, generation) => String(firstTpnb + serial(slot, generation)),
    gtin(slot, generation) {
      const code = (serial(slot, generation) * stride + shift) % idSpace;
      const body = `${gtinPrefix}${String(code).padStart(9, '0')}`;
      return body + checkDigit(body);
    },
    slotOfGtin(gtin) {
      const padded = gtin.padStart(14, '0');
      return padded.startsWith(gtinPrefix) ? placeOf(Number(padded.slice(4, 13))) : null;
    },
  };
}

/** GS1 check digit: digits weighted 3 and 1 from the right, complemented to a multiple of ten. */
function checkDigit(body: string): string {
  let sum = 0;
  for (let index = 0; index < body.length; index += 1) sum += (body.charCodeAt(index) - 48) * (index % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}

function inverseOf(value: number, modulus: number): bigint {
  let [r0, r1] = [BigInt(modulus), BigInt(value)];
  let [t0, t1] = [0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  if (r0 !== 1n) throw new RangeError(`${value} has no inverse modulo ${modulus}`);
  return ((t0 % BigInt(modulus)) + BigInt(modulus)) % BigInt(modulus);
}
