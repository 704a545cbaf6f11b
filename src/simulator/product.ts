import { attributesOf, goodsOf } from './article.ts';
import { fraction, happens, hash, pick } from './hash.ts';
import { generationsPerSlot, type Numbering } from './numbering.ts';
import { type Pack, packOf } from './pack.ts';
import { createPackLife, type PackState } from './pack-life.ts';
import { baseOn, basePrice, priceOn, stockOn, tagOf } from './price.ts';
import { type Promotion, promotionsOn } from './promotion.ts';
import type { CatalogueOptions } from './settings.ts';
import { kinOf, type SharedRange } from './shared-range.ts';
import type { RegionCode, Taxonomy, TaxonomyNode } from './taxonomy.ts';
import { brandsOf, ownBrands } from './words.ts';

/** A product on a day with everything a listing shows. */
export interface Product {
  readonly slot: number;
  readonly generation: number;
  /** Hash of the lasting attributes, the source of further generated values. */
  readonly attributes: number;
  readonly productId: string;
  readonly tpnb: string;
  readonly gtin: string | null;
  /** The article, independent of its numbers: equal in both regions for the same article. */
  readonly goods: string;
  /** As served, with double spaces, trailing spaces and garbled characters. */
  readonly title: string;
  readonly brand: string | null;
  /** Without size parameters. */
  readonly imageUrl: string;
  readonly leaf: TaxonomyNode;
  readonly pack: Pack;
  readonly isForSale: boolean;
  readonly priceMinor: number | null;
  readonly unitPriceMinor: number | null;
  /** As served, such as `100g`; null together with the unit price. */
  readonly unitOfMeasure: string | null;
  readonly promotions: readonly Promotion[];
  readonly rating: number | null;
  readonly reviewCount: number;
}

export function createProducts(world: {
  readonly region: RegionCode;
  readonly seed: number;
  readonly options: CatalogueOptions;
  readonly taxonomy: Taxonomy;
  readonly numbering: Numbering;
  /** Null for the region that others share products with. */
  readonly common: SharedRange | null;
}) {
  const { region, seed, options, taxonomy, numbering, common } = world;
  const ownLife = createPackLife(seed, options.packChanges);
  const commonLife = common && createPackLife(common.seed, options.packChanges);
  const rates = {
    seed,
    share: options.promoted,
    early: options.earlyPromotions,
    lastingDays: options.evolve ? 0 : unchangingDays,
  };

  return {
    /** The product of a slot and generation on a day. */
    on(slot: number, generation: number, day: number): Product {
      const leaf = taxonomy.leafOf(slot);
      const kin = common && kinOf(common, slot, generation, leaf);
      const attributes = kin?.attributes ?? attributesOf(seed, slot, generation);
      // Shared products change their packs in both regions.
      const life = kin ? commonLife!.on(kin.slot, generation, day) : ownLife.on(slot, generation, day);
      const brand = brandOf(leaf, attributes);
      const packed = (steps: number) => packOf(leaf, kin?.packAttributes ?? attributes, region, steps);
      const pack = packed(life.steps);
      const { inflation } = leaf;
      // A smaller pack keeps its price.
      const full = life.steps === 0 ? pack : packed(0);
      const base = basePrice({ shelf: leaf, pack: full, attributes, isOwnBrand: isOwnBrand(brand) }, region);
      const stock = stockOn(day, slot, seed, options.unavailable);
      const isPriced = stock !== 'unpriced';
      const tag = tagOf(pack, priceOn(day, slot, { base, inflation }, seed, options.dailyChange));
      const review = hash(attributes, 602);
      const shrunk = life.steps === 0 ? '' : `-less-${life.steps}`;

      return {
        slot,
        generation,
        attributes,
        productId: numbering.productId(slot, generation),
        tpnb: kin?.tpnb ?? numbering.tpnb(slot, generation),
        gtin: kin?.hasGtin
          ? gtinOf(kin.slot, generation, leaf.kind, attributes, common!.numbering, life)
          : gtinOf(slot, generation, leaf.kind, attributes, numbering, life),
        goods: (kin?.isSame ? goodsOf('uk', kin.slot, generation) : goodsOf(region, slot, generation)) + shrunk,
        title: kin
          ? respelled(titleOf(leaf, pack, brand, attributes, life), attributes)
          : titleOf(leaf, pack, brand, attributes, life),
        brand,
        imageUrl: imageOf(attributes),
        leaf,
        pack,
        isForSale: stock === 'available',
        priceMinor: isPriced ? tag.priceMinor : null,
        unitPriceMinor: isPriced ? tag.unitPriceMinor : null,
        unitOfMeasure: isPriced ? pack.unitOfMeasure : null,
        promotions: promotionsOn(
          day,
          slot,
          (startDay) => ({
            ...{ region, pack, base: baseOn(startDay, base, inflation) },
            range: taxonomy.leafOf((slot >> 4) << 4).goods,
          }),
          rates,
        ),
        rating: review % 20 === 0 ? null : 20 + (review % 31),
        reviewCount: review % 20 === 0 ? 0 : review % 211,
      };
    },
  };
}

/** Spelling differs between regions. */
function respelled(title: string, attributes: number): string {
  return hash(attributes, 703) % 3 === 0 ? title.replace(/(\d)(g|kg|ml)$/i, '$1 $2') : title;
}

/** About thirty years. */
const unchangingDays = 11_000;

function brandOf({ kind, path }: TaxonomyNode, attributes: number): string | null {
  if (kind === 'loose') return null;
  const draw = hash(attributes, 611);
  if (fraction(draw) < 0.35) return pick(ownBrands, draw >>> 4);
  const brand = pick(brandsOf(path[0]!.name), draw >>> 4);
  // One brand in two spellings.
  return brand === spelledTwice && draw % 2 === 0 ? brand.toUpperCase() : brand;
}

const spelledTwice = 'Zesto';

const isOwnBrand = (brand: string | null): boolean => brand !== null && /^meridian/i.test(brand);

/** Relisted articles keep their barcode; loose goods have a store-internal one; a few have none. */
function gtinOf(
  slot: number,
  generation: number,
  kind: TaxonomyNode['kind'],
  attributes: number,
  numbering: Numbering,
  { story, barcodes }: PackState,
) {
  const draw = hash(attributes, 621);
  if (happens(kind === 'marketplace' ? 0.3 : 0.02, draw)) return null;
  if (kind === 'loose') return `0281${String(draw % 100_000).padStart(5, '0')}00000`;
  if (story === 'new_gtin')
    return numbering.gtin(slot, barcodesFrom + (barcodes % (generationsPerSlot - barcodesFrom)));
  return numbering.gtin(slot, slot % 2 === 0 || story === 'relaunch' ? generation : 0);
}

/** First serial of a slot used for further barcodes of the same article. */
const barcodesFrom = 40;

function titleOf(
  leaf: TaxonomyNode,
  pack: Pack,
  brand: string | null,
  attributes: number,
  { isReworded }: PackState,
): string {
  const variety = `${isReworded ? 'New ' : ''}${pick(varietiesOf(leaf), hash(attributes, 631))}`;
  const maker = brand === null ? 'Meridian' : brand.startsWith('MERIDIAN') ? 'Meridian' : brand;
  const goods = `${maker} ${variety} ${leaf.goods}`;
  const size = pack.label === '' ? (leaf.kind === 'loose' ? ' Loose' : '') : ` ${pack.label}`;

  const quirk = hash(attributes, 632) % 400;
  if (quirk < 4) return `${maker}  ${variety} ${leaf.goods}${size}`;
  if (quirk < 7) return `${goods}${size} `;
  if (quirk < 10) return `${goods} "Big Night In"${size}`;
  if (quirk < 14) return `${goods}, ${pick(varietiesOf(leaf), hash(attributes, 633))}${size}`;
  if (quirk === 14) return `${maker} CrÃ¨me ${leaf.goods}${size}`;
  return goods + size;
}

/** Varieties of a shelf that its name does not say already. */
function varietiesOf({ sold, goods }: TaxonomyNode): readonly string[] {
  const others = sold.varieties.filter((variety) => !goods.includes(variety.split(' ').at(-1)!));
  return others.length === 0 ? sold.varieties : others;
}

function imageOf(attributes: number): string {
  const first = hash(attributes, 641);
  if (first % 250 === 0) return `${imageRoot}/no-image.png`;
  return `${imageRoot}/${first}/${hash(attributes, 642)}_${first % 9973}.jpeg`;
}

const imageRoot = 'https://images.grocery.example/v2/media/ghs';
