import { attributesOf } from './article.ts';
import { hash } from './hash.ts';
import type { Numbering } from './numbering.ts';
import { type Pack, type PackKind, packOf } from './pack.ts';
import type { Taxonomy } from './taxonomy.ts';

/**
 * What an Irish product has in common with a British one. `same`: one article with one barcode and base product number.
 * `renumbered`: another barcode. `relabelled`: other numbers. `wrongBarcode`: by mistake the barcode of an article of
 * another size. `sizeVariant`: the same name in another size.
 */
type Kinship = 'same' | 'renumbered' | 'relabelled' | 'wrongBarcode' | 'sizeVariant';

/** What one catalogue takes over from the British one. */
export interface SharedRange {
  /** The British slot that a slot is akin to; null for about a third of them. */
  readonly kinshipOf: (slot: number) => { readonly kinship: Kinship; readonly slot: number } | null;
  /** The hash that British attributes start from. */
  readonly seed: number;
  readonly numbering: Numbering;
}

/** A product's part in the common range. */
interface Kin {
  /** The British slot. */
  readonly slot: number;
  readonly attributes: number;
  /** Of its size, where that differs. */
  readonly packAttributes: number;
  /** That of the British product; null where it has one of its own. */
  readonly tpnb: string | null;
  readonly hasGtin: boolean;
  /** Really the same article. */
  readonly isSame: boolean;
}

/** Akin are slots at the same place of the same category. */
export function kinships(seed: number, uk: Taxonomy, other: Taxonomy): SharedRange['kinshipOf'] {
  return (otherSlot) => {
    const leaf = other.leafOf(otherSlot);
    const twin = uk.byId.get(leaf.id);
    const slot = (twin?.first ?? 0) + otherSlot - leaf.first;
    if (!twin || slot >= twin.end) return null;
    const draw = hash(seed, 701, slot) % 100;
    const found = shares.find(([, below]) => draw < below);
    return found ? { kinship: found[0], slot } : null;
  };
}

/** The part of a slot's product of a generation; null when it has nothing in common. */
export function kinOf(range: SharedRange, slot: number, generation: number, kind: PackKind): Kin | null {
  const found = range.kinshipOf(slot);
  if (!found) return null;
  const attributes = attributesOf(range.seed, found.slot, generation);
  const other = otherSize(kind, attributes);
  // Where no other size can be told from the title there is no mistaking one.
  const kinship = other === null ? (soleSize[found.kinship] ?? found.kinship) : found.kinship;
  const isSame = kinship !== 'wrongBarcode' && kinship !== 'sizeVariant';
  return {
    slot: found.slot,
    attributes,
    packAttributes: isSame ? attributes : other!,
    tpnb: kinship === 'same' || kinship === 'renumbered' ? range.numbering.tpnb(found.slot, generation) : null,
    hasGtin: kinship === 'same' || kinship === 'wrongBarcode',
    isSame,
  };
}

const soleSize: Partial<Record<Kinship, Kinship>> = { wrongBarcode: 'same', sizeVariant: 'relabelled' };

/** Attributes that make another printed amount; null when the kind has none. */
function otherSize(kind: PackKind, attributes: number): number | null {
  const own = packOf(kind, attributes, 'uk');
  for (let n = 0; n < 8 && isPrinted(own); n += 1) {
    const other = hash(attributes, 702, n);
    const pack = packOf(kind, other, 'uk');
    if (isPrinted(pack) && pack.amount !== own.amount) return other;
  }
  return null;
}

function isPrinted({ label, unit }: Pack): boolean {
  return label !== '' && unit !== 'each';
}

/** Of a hundred, counted up. */
const shares: readonly (readonly [Kinship, number])[] = [
  ['same', 35],
  ['renumbered', 45],
  ['relabelled', 57],
  ['wrongBarcode', 60],
  ['sizeVariant', 65],
];
