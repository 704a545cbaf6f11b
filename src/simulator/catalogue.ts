import { monthOf } from './calendar.ts';
import { happens, hash, pick } from './hash.ts';
import { createNumbering, generationsPerSlot, maxItems, type Numbering } from './numbering.ts';
import { createPopulation } from './population.ts';
import { createProducts, type Product } from './product.ts';
import type { Behaviour, CatalogueOptions } from './settings.ts';
import { kinships, type SharedRange } from './shared-range.ts';
import { createTaxonomy, type RegionCode, type Taxonomy, type TaxonomyNode } from './taxonomy.ts';

/** Products of a category on a day, in listing order. */
export interface Listing {
  readonly total: number;
  slotAt(offset: number): number;
}

/** A region's catalogue, computed from the seed; only the present slots of recently requested days are cached. */
export type Catalogue = ReturnType<typeof createCatalogue>;

/** Creates a catalogue. `range` may change while it is in use. */
export function createCatalogue(
  region: RegionCode,
  options: CatalogueOptions,
  range: Readonly<Pick<Behaviour, 'withdrawn'>>,
) {
  const { items, evolve, secondListing } = options;
  if (!Number.isInteger(items) || items < 1 || items > maxItems) {
    throw new RangeError(`items must be a whole number from 1 to ${maxItems}`);
  }
  const seed = hash(options.seed, region === 'uk' ? 1 : 2);
  const taxonomy = createTaxonomy(region, items, seed, options.superDepartments);
  const offset = region === 'uk' ? 0 : items >> 1;
  const ukNumbering = createNumbering(hash(options.seed, 3), items, 0, '0506');
  const numbering =
    region === 'uk' ? ukNumbering : createNumbering(hash(options.seed, 3), items, offset, '0539', 200_000_000);
  const population = createPopulation(seed, options, range);
  const common = region === 'uk' ? null : commonWithUk(options, taxonomy, ukNumbering);
  const { daysToClear } = population;
  const products = createProducts({ region, seed, options, taxonomy, numbering, common, daysToClear });
  const secondLeaves = createSecondLeaves(seed, secondListing, taxonomy, products.isOnOffer);
  const days = new Map<number, Day>();
  let rememberedRange = range.withdrawn;
  const isThere = (slot: number, day: number): boolean =>
    population.generationOn(slot, day) !== null && !population.isMissing(slot, day) && !population.isWithdrawn(slot);

  /** Without `evolve` every day shows the same catalogue. */
  function shown(day: number): number {
    return evolve ? day : stillDay;
  }

  function dayOf(day: number): Day {
    if (rememberedRange !== range.withdrawn) days.clear();
    rememberedRange = range.withdrawn;
    const known = days.get(shown(day));
    if (known) return known;
    if (days.size >= rememberedDays) days.delete(days.keys().next().value!);
    const fresh = indexDay(shown(day));
    days.set(shown(day), fresh);
    return fresh;
  }

  function indexDay(day: number): Day {
    const slots = new Int32Array(items);
    const second = new Map<number, number[]>();
    let count = 0;
    for (const leaf of taxonomy.leaves) {
      for (let slot = leaf.first; slot < leaf.end; slot += 1) {
        if (!isThere(slot, day)) continue;
        slots[count] = slot;
        count += 1;
        const node = secondLeaves(slot, leaf, day);
        if (!node) continue;
        const list = second.get(node.index);
        if (list) list.push(slot);
        else second.set(node.index, [slot]);
      }
    }
    const packed = new Map([...second].map(([index, list]) => [index, Int32Array.from(list)]));
    return { present: slots.slice(0, count), second: packed };
  }

  return {
    region,
    options,
    taxonomy,
    numbering,
    /** Category by id; null if it does not exist or is out of season. */
    category(categoryId: string, day: number): TaxonomyNode | null {
      const node = taxonomy.byId.get(categoryId);
      return node && isInSeason(node, shown(day)) ? node : null;
    },
    isInSeason: (node: TaxonomyNode, day: number): boolean => isInSeason(node, shown(day)),
    listing(node: TaxonomyNode, day: number): Listing {
      const { present, second } = dayOf(day);
      const from = lowerBound(present, node.first);
      const own = lowerBound(present, node.end) - from;
      const others = node.secondaryLeaves.map(({ index }) => second.get(index)).filter((list) => list !== undefined);
      return {
        total: others.reduce((sum, { length }) => sum + length, own),
        slotAt(place) {
          if (place < own) return present[from + place]!;
          let rest = place - own;
          for (const list of others) {
            if (rest < list.length) return list[rest]!;
            rest -= list.length;
          }
          throw new RangeError(`nothing is listed at ${place}`);
        },
      };
    },
    /** Slots with a product on that day, ascending. */
    present: (day: number): Int32Array => dayOf(day).present,
    isPresent: (slot: number, day: number): boolean => isThere(slot, shown(day)),
    isWithdrawn: population.isWithdrawn,
    product: (slot: number, day: number): Product =>
      products.on(slot, population.generationOn(slot, shown(day)) ?? 0, shown(day)),
    /** An earlier product of a slot. */
    formerProduct: (slot: number, generation: number, day: number): Product =>
      products.on(slot, generation, shown(day)),
    /** Generation among a slot's latest three with this serial (modulo `generationsPerSlot`); null if there is none. */
    formerGeneration(slot: number, serial: number, day: number): number | null {
      const latest = population.latestGeneration(slot, shown(day));
      const known = [latest, latest - 1, latest - 2].filter((generation) => generation >= 0);
      return known.find((generation) => generation % generationsPerSlot === serial) ?? null;
    },
    /** Generation of the slot on that day, even if the product is temporarily missing; null: none. */
    generation: (slot: number, day: number): number | null => population.generationOn(slot, shown(day)),
    /** Leaves that list the slot: its own and possibly a second one. */
    leavesOf(slot: number, day: number): readonly TaxonomyNode[] {
      const leaf = taxonomy.leafOf(slot);
      const second = secondLeaves(slot, leaf, shown(day));
      return second ? [leaf, second] : [leaf];
    },
  };
}

/** Products that the Irish catalogue shares with the British one. */
function commonWithUk(options: CatalogueOptions, taxonomy: Taxonomy, numbering: Numbering): SharedRange {
  const seed = hash(options.seed, 1);
  const uk = createTaxonomy('uk', options.items, seed, options.superDepartments);
  return { kinshipOf: kinships(options.seed, uk, taxonomy), seed, numbering };
}

interface Day {
  readonly present: Int32Array;
  readonly second: ReadonlyMap<number, Int32Array>;
}

/** Cached days: today, the day before, and one for comparison. */
const rememberedDays = 3;
/** 2020-01-06: earlier than any requested day, so that all spells have started. */
const stillDay = 18_267;

function isInSeason({ season }: TaxonomyNode, day: number): boolean {
  return season === 'always' || season === seasonOf(day);
}

function seasonOf(day: number): 'summer' | 'winter' {
  const month = monthOf(day);
  return month >= 4 && month <= 9 ? 'summer' : 'winter';
}

/** Second category of a slot, never in the same superDepartment, so that no listing repeats a product. */
function createSecondLeaves(
  seed: number,
  share: number,
  { secondaryLeaves }: Taxonomy,
  isOnOffer: (slot: number, leaf: TaxonomyNode, day: number) => boolean,
) {
  /** Secondary leaves for products of a leaf: lists, and those of what is on offer. */
  function choicesOf(leaf: TaxonomyNode, season: TaxonomyNode['season']) {
    const names = new Set(leaf.path.map(({ name }) => name.trim()));
    const suitable = secondaryLeaves.filter(
      (each) =>
        each.path[0] !== leaf.path[0] &&
        (each.season === 'always' || each.season === season) &&
        each.selection!.categories.some((category) => names.has(category)),
    );
    const of = (isOnOffer: boolean) => suitable.filter(({ selection }) => selection!.isOnOffer === isOnOffer);
    return { season, lists: of(false), offers: of(true) };
  }

  const choices = new Map<TaxonomyNode, ReturnType<typeof choicesOf>>();

  return (slot: number, leaf: TaxonomyNode, day: number): TaxonomyNode | null => {
    if (!happens(share, hash(seed, 503, slot))) return null;
    const season = seasonOf(day);
    let known = choices.get(leaf);
    if (known?.season !== season) {
      known = choicesOf(leaf, season);
      choices.set(leaf, known);
    }
    const shelves = known.offers.length > 0 && isOnOffer(slot, leaf, day) ? known.offers : known.lists;
    return shelves.length === 0 ? null : pick(shelves, hash(seed, 502, slot));
  };
}

function lowerBound(sorted: Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
