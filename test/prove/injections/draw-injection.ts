import type { FaultRule } from '../../../src/simulator/index.ts';
import { type Chance, createChance } from '../../support/chance.ts';
import type { Shelf } from '../../support/shelves.ts';

/** One way in which an upstream keeps something to itself. */
export interface Injection {
  readonly kind: string;
  readonly faults: readonly FaultRule[];
}

/** The injection number `index` of a seed: kinds take turns, everything else is drawn. */
export function drawInjection(seed: number, index: number, shelves: readonly Shelf[], pageSize: number): Injection {
  const chance = createChance(seed * 1_000_003 + index);
  const pagesOf = (shelf: Shelf) => Math.ceil(shelf.products / pageSize);
  const large = shelves.filter((shelf) => pagesOf(shelf) > 1);
  const [kind, draw] = draws[index % draws.length]!;
  return { kind, faults: draw({ chance, shelves, large, pagesOf }) };
}

interface Draw {
  readonly chance: Chance;
  readonly shelves: readonly Shelf[];
  /** Those with several pages. */
  readonly large: readonly Shelf[];
  pagesOf(shelf: Shelf): number;
}

const draws: readonly (readonly [kind: string, draw: (from: Draw) => readonly FaultRule[]])[] = [
  [
    'missing page',
    ({ chance, shelves, pagesOf }) => {
      const shelf = chance.pick(shelves);
      const pages = [chance.whole(1, pagesOf(shelf))];
      const on = { categories: [shelf.categoryId], pages };
      return chance.pick<() => readonly FaultRule[]>([
        () => [{ kind: 'emptyPage', ...on }],
        () => [{ kind: 'notFound', ...on }],
        () => [{ kind: 'missingItems', count: chance.whole(1, 6), ...on }],
        () => [{ kind: 'emptyPage', categories: [shelf.categoryId, ...shelf.below], pages }],
        // Null in place of a product.
        () => [{ kind: 'nullNodes', count: 1, total: 0, ...on }],
      ])();
    },
  ],
  [
    'missing category',
    ({ chance, shelves }) => {
      // A missing category without products of its own loses no product, and a first night cannot miss a category that
      // nothing refers to.
      const shelf = chance.pick(shelves.filter(({ ownElsewhere }) => ownElsewhere > 0));
      const hidden: FaultRule = { kind: 'missingCategory', categories: [shelf.categoryId] };
      if (chance.happens(0.5)) return [hidden];
      return [hidden, { kind: 'emptyPage', categories: [shelf.categoryId, ...shelf.below] }];
    },
  ],
  [
    'shifted pages',
    ({ chance, large, pagesOf }) => {
      const shelf = chance.pick(large);
      const drawn = chance.whole(1, 6) * (chance.happens(0.5) ? 1 : -1);
      // Before products enter, fewer pages are declared: what enters after the last of them was not there in time.
      const pagesBefore = pagesOf({ ...shelf, products: shelf.products + Math.min(0, drawn) });
      const count = pagesBefore > 1 ? drawn : Math.abs(drawn);
      const after = chance.whole(1, (count > 0 ? pagesOf(shelf) : pagesBefore) - 1);
      return [{ kind: 'shift', categories: [shelf.categoryId], count, after }];
    },
  ],
  [
    'wrong total',
    ({ chance, shelves, pagesOf }) => {
      const shelf = chance.pick(shelves);
      const delta = chance.whole(1, Math.max(2, shelf.products)) * (chance.happens(0.7) ? -1 : 1);
      const pages = chance.happens(0.3) ? { pages: [chance.whole(1, pagesOf(shelf))] } : {};
      return [{ kind: 'wrongTotal', categories: [shelf.categoryId], delta, ...pages }];
    },
  ],
  [
    'silent cap',
    ({ chance, shelves }) => {
      const shelf = chance.pick(shelves);
      const categories = [shelf.categoryId];
      if (chance.happens(0.15)) return [{ kind: 'tenth' }];
      if (chance.happens(0.2)) return [{ kind: 'tenth', categories }];
      return [{ kind: 'cap', categories, count: chance.whole(1, Math.max(1, shelf.products - 1)) }];
    },
  ],
  [
    'duplicates',
    ({ chance, large, pagesOf }) => {
      const shelf = chance.pick(large);
      const pages = [chance.whole(2, pagesOf(shelf))];
      const count = chance.whole(1, 5);
      const times = chance.happens(0.5) ? {} : { times: chance.whole(1, 2) };
      return [{ kind: 'duplicates', categories: [shelf.categoryId], pages, count, ...times }];
    },
  ],
];
