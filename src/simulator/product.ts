import { articleNo, attributesOf, goodsOf, placeOf } from './article.ts';
import { happens, hash } from './hash.ts';
import { generationsPerSlot, type Numbering } from './numbering.ts';
import { type Pack, packOf } from './pack.ts';
import { createPackLife, type PackState, unchanged } from './pack-life.ts';
import { basePrice, lowestPrice, priceOn, rounded, stockOn, tagOf } from './price.ts';
import { createOffers, type Offer, type Promotion, priceInOffer, saves } from './promotion.ts';
import type { CatalogueOptions } from './settings.ts';
import { kinOf, type SharedRange } from './shared-range.ts';
import { type Article, articleOf, type RegionCode, type Taxonomy, type TaxonomyNode } from './taxonomy.ts';

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
  readonly article: Article;
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
  /** Days until a product leaves for good, if it is cleared before. */
  readonly daysToClear: (slot: number, day: number) => number;
}) {
  const { region, seed, options, taxonomy, numbering, common } = world;
  const ownLife = createPackLife(seed, options.packChanges);
  const commonLife = common && createPackLife(common.seed, options.packChanges);
  const offers = createOffers({
    seed,
    share: options.promoted,
    early: options.earlyPromotions,
    lastingDays: options.evolve ? 0 : unchangingDays,
  });

  function articleAt(slot: number, generation: number, leaf: TaxonomyNode) {
    const found = common?.kinshipOf(slot) ?? null;
    const from = found ?? { leaf, slot };
    // What only this region sells is at the other end of the shelf's list, and always the same.
    const isOwn = common !== null && found === null;
    const no = isOwn ? 0 : articleNo(from.leaf, from.slot, generation);
    const article = articleOf(leaf, isOwn ? leaf.first - slot - 1 : placeOf(from.leaf, from.slot, no));
    if (!common || !homeGrown.test(article.name)) return { found, no, article };
    return { found: null, no, article: { ...article, name: article.name.replace(homeGrown, 'Irish') } };
  }

  /** Products of a shelf and brand share their offers. */
  const groupOf = (slot: number, leaf: TaxonomyNode) => leaf.first + articleAt(slot, 0, leaf).article.maker;

  return {
    /** The product of a slot and generation on a day. */
    on(slot: number, generation: number, day: number): Product {
      const leaf = taxonomy.leafOf(slot);
      const { found, no, article } = articleAt(slot, generation, leaf);
      const kin = found && kinOf(common!, found, no, generation, article);
      const attributes = kin?.attributes ?? attributesOf(seed, slot, no);
      const { goods, brand } = article;
      const style = region === 'ie' ? irishStyle(article) : article.style;
      // Shared products change their packs in both regions.
      const life = goods.isFixed ? unchanged : (kin ? commonLife! : ownLife).on(kin?.slot ?? slot, generation, day);
      const packed = { kind: goods.kind, sizes: article.sizes, style };
      const less = kin && !kin.isSame ? 1 : 0;
      const pack = packOf(packed, attributes, less + life.steps);
      // A smaller pack keeps its price.
      const full = life.steps === 0 ? pack : packOf(packed, attributes, less);
      const base = basePrice(article, full, region);
      const dailyChange = options.dailyChange * (goods.isStaple ? 2 : 1);
      const priced = { base, attributes, inflation: leaf.inflation, cheapest: goods.cheapest };
      const spell = offers.spellOf(groupOf(slot, leaf), day);
      const isModest = goods.terms.includes(`modest-${region}`);
      const isSteady = isModest || pack.priced !== 'pack';
      const offer = offers.offerOf(slot, spell, isSteady);
      const next = offers.nextOffer(slot, spell, day, isSteady);
      const daysLeft = world.daysToClear(slot, day);
      // Regular prices rest during an offer, about two weeks after it and two weeks before a clearance.
      const rests = offer !== null || (day < spell.startDay + calmDays - (slot % 5) && offers.wasOffered(slot, spell));
      const setDay = rests ? spell.startDay : day - Math.max(0, 2 * calmDays - daysLeft);
      const lowest = lowestPrice(goods, pack, region);
      // An offer of an eighth less is legal, too.
      const regularOn = (on: number) => Math.max(priceOn(on, slot, priced, seed, dailyChange), rounded(lowest / 0.87));
      const regular = regularOn(setDay);
      const moving = Math.max(lowest, priceShown(regular, offer, next?.offer ?? null, daysLeft));
      const promotionsOf = (one: Offer, price: number) =>
        offers.promotionsOf(one, slot, price, {
          ...{ region, pack, lowest, base: priceInOffer(one, price), meal: goods.meal, range: leaf.goods, isModest },
          isSingle: isModest || goods.terms.includes(`single-${region}`),
        });
      // The price may be reduced until they begin.
      const early = next?.isListed ? promotionsOf(next.offer, regularOn(spell.endDay)) : [];
      const stock = stockOn(day, slot, seed, options.unavailable);
      const isPriced = stock !== 'unpriced';
      const tidy = titleOf(article, pack, attributes, life);
      // UTF-8 read as Latin-1.
      const title = happens(options.garbled, hash(attributes, 633)) ? Buffer.from(tidy).toString('latin1') : tidy;
      const tag = tagOf(pack, moving);
      const review = hash(attributes, 602);
      const shrunk = life.steps === 0 ? '' : `-less-${life.steps}`;

      return {
        slot,
        generation,
        attributes,
        productId: numbering.productId(slot, generation),
        tpnb: kin?.tpnb ?? numbering.tpnb(slot, generation),
        gtin: kin?.hasGtin
          ? gtinOf(kin.slot, generation, goods.kind, attributes, common!.numbering, life)
          : gtinOf(slot, generation, goods.kind, attributes, numbering, life),
        goods: (kin?.isSame ? goodsOf('uk', kin.slot, no) : goodsOf(region, slot, no)) + shrunk,
        title,
        brand,
        imageUrl: imageOf(attributes),
        leaf,
        article,
        pack,
        isForSale: stock === 'available',
        priceMinor: isPriced ? tag.priceMinor : null,
        unitPriceMinor: isPriced ? tag.unitPriceMinor : null,
        unitOfMeasure: isPriced ? pack.unitOfMeasure : null,
        promotions: [
          ...(offer ? promotionsOf(offer, regular) : []),
          ...early.filter((promotion) => saves(promotion, moving)),
        ],
        rating: review % 20 === 0 ? null : 20 + (review % 31),
        reviewCount: review % 20 === 0 ? 0 : review % 211,
      };
    },
    /** Whether an offer for the product of a slot is in effect. */
    isOnOffer: (slot: number, leaf: TaxonomyNode, day: number) =>
      offers.isOffered(slot, offers.spellOf(groupOf(slot, leaf), day)),
  };
}

/** Price in an offer, before one that raises it, or in the last two weeks of a product that is cleared. */
function priceShown(regular: number, offer: Offer | null, next: Offer | null, daysLeft: number): number {
  if (offer || (next && next.factor > 1)) return priceInOffer(offer ?? next!, regular);
  return daysLeft > calmDays ? regular : rounded(regular * 0.87);
}

const calmDays = 14;
/** Each region sells its own. */
const homeGrown = /^(British|Scottish)\b/;

/** Some brands write sizes differently in Ireland. */
function irishStyle({ brand, style }: Article): Article['style'] {
  return style === 'plain' && brand && brand.length % 6 === 0 && !brand.startsWith('Meridian') ? 'spaced' : style;
}

/** About thirty years. */
const unchangingDays = 11_000;

/** Relisted articles keep their barcode; loose goods have a store-internal one; a few have none. */
function gtinOf(
  slot: number,
  generation: number,
  kind: Article['goods']['kind'],
  attributes: number,
  numbering: Numbering,
  { story, barcodes }: PackState,
) {
  const draw = hash(attributes, 621);
  if (happens(kind === 'marketplace' ? 0.3 : 0.02, draw)) return null;
  if (kind === 'loose') return `0281${String(draw % 100_000).padStart(5, '0')}00000`;
  if (story === 'new_gtin') {
    const place = barcodes + (slot % 2 === 0 ? 5 * generation : 0);
    return numbering.gtin(slot, barcodesFrom + (place % (generationsPerSlot - barcodesFrom)));
  }
  return numbering.gtin(slot, slot % 2 === 0 || story === 'relaunch' ? generation : 0);
}

/** First serial of a slot used for further barcodes of the same article. */
const barcodesFrom = 40;

function titleOf({ name, brand, goods }: Article, pack: Pack, attributes: number, { isReworded }: PackState): string {
  const size = pack.label === '' ? (goods.kind === 'loose' ? ' Loose' : '') : ` ${pack.label}`;
  const product = `${isReworded ? 'New ' : ''}${name}${size}`;
  const quirk = hash(attributes, 632) % 400;
  const space = quirk < 4 ? '  ' : ' ';
  return `${brand ?? 'Meridian'}${space}${product}${quirk >= 4 && quirk < 7 ? ' ' : ''}`;
}

function imageOf(attributes: number): string {
  const first = hash(attributes, 641);
  if (first % 250 === 0) return `${imageRoot}/no-image.png`;
  return `${imageRoot}/${first}/${hash(attributes, 642)}_${first % 9973}.jpeg`;
}

const imageRoot = 'https://images.grocery.example/v2/media/ghs';
