import { attributesOf } from './article.ts';
import { hash } from './hash.ts';
import type { Numbering } from './numbering.ts';
import type { Article, Taxonomy } from './taxonomy.ts';

/**
 * Relation of an Irish product to a British one. `same`: same barcode and base product number. `renumbered`: another
 * barcode. `relabelled`: other numbers. `wrongBarcode`: the barcode of another size by mistake. `sizeVariant`: same
 * name, other size.
 */
type Kinship = 'same' | 'renumbered' | 'relabelled' | 'wrongBarcode' | 'sizeVariant';

/** Products shared with the British catalogue. */
export interface SharedRange {
  /** Related British slot; null for about a quarter of the slots. */
  readonly kinshipOf: ReturnType<typeof kinships>;
  /** Hash from which British attributes derive. */
  readonly seed: number;
  readonly numbering: Numbering;
}

/** Relates slots at the same position of the same category. */
export function kinships(seed: number, uk: Taxonomy, other: Taxonomy) {
  return (otherSlot: number) => {
    const leaf = other.leafOf(otherSlot);
    const twin = uk.byId.get(leaf.id);
    const slot = (twin?.first ?? 0) + otherSlot - leaf.first;
    if (!twin || slot >= twin.end) return null;
    const draw = hash(seed, 701, slot) % 100;
    const found = shares.find(([, below]) => draw < below);
    return found ? { kinship: found[0], slot, leaf: twin } : null;
  };
}

type Kin = NonNullable<ReturnType<SharedRange['kinshipOf']>>;

/** Attributes of a product that it shares with the British one of a kin. */
export function kinOf(range: SharedRange, found: Kin, no: number, generation: number, article: Article) {
  // Goods that are not sold in several weights or volumes cannot differ in size.
  const kinship = otherSized.has(article.goods.kind) ? found.kinship : (soleSize[found.kinship] ?? found.kinship);
  const isSame = kinship !== 'wrongBarcode' && kinship !== 'sizeVariant';
  return {
    /** British slot. */
    slot: found.slot,
    attributes: attributesOf(range.seed, found.slot, no),
    /** Null: it has its own. */
    tpnb: kinship === 'same' || kinship === 'renumbered' ? range.numbering.tpnb(found.slot, generation) : null,
    hasGtin: kinship === 'same' || kinship === 'wrongBarcode',
    /** Whether both products are the same article. */
    isSame,
  };
}

const otherSized: ReadonlySet<string> = new Set('grams portions drained spice litres cans millilitres'.split(' '));
const soleSize: Partial<Record<Kinship, Kinship>> = { wrongBarcode: 'same', sizeVariant: 'relabelled' };

/** Cumulative percentages. */
const shares: readonly (readonly [Kinship, number])[] = [
  ['same', 45],
  ['renumbered', 57],
  ['relabelled', 79],
  ['wrongBarcode', 82],
  ['sizeVariant', 88],
];
