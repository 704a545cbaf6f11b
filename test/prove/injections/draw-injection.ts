import type { FaultRule } from '../../../src/simulator/index.ts';
import { type Chance, createChance } from '../../support/chance.ts';
import type { Shelf } from '../../support/shelves.ts';

/** One way in which an upstream keeps something to itself. */
export interface Injection {
  readonly kind: InjectionKind;
  /** For people. */
  readonly what: string;
  readonly faults: readonly FaultRule[];
}

export const injectionKinds = [
  'missing page',
  'missing category',
  'shifted pages',
  'wrong total',
  'silent cap',
  'duplicates',
] as const;
export type InjectionKind = (typeof injectionKinds)[number];

/** The injection number `index` of a seed: kinds take turns, everything else is drawn. */
export function drawInjection(seed: number, index: number, shelves: readonly Shelf[], pageSize: number): Injection {
  const chance = createChance(seed * 1_000_003 + index);
  const kind = injectionKinds[index % injectionKinds.length]!;
  const pagesOf = (shelf: Shelf) => Math.ceil(shelf.products / pageSize);
  const large = shelves.filter((shelf) => pagesOf(shelf) > 1);
  const draw = draws[kind];
  return { kind, ...draw({ chance, shelves, large, pageSize, pagesOf }) };
}

interface Draw {
  readonly chance: Chance;
  readonly shelves: readonly Shelf[];
  /** Those with several pages. */
  readonly large: readonly Shelf[];
  readonly pageSize: number;
  pagesOf(shelf: Shelf): number;
}

type Drawn = Omit<Injection, 'kind'>;

const draws: Readonly<Record<InjectionKind, (draw: Draw) => Drawn>> = {
  'missing page'({ chance, shelves, pagesOf }) {
    const shelf = chance.pick(shelves);
    const page = chance.whole(1, pagesOf(shelf));
    const on = { categories: [shelf.categoryId], pages: [page] };
    return chance.pick<() => Drawn>([
      () => ({ what: `page ${page} of ${shelf.name} is empty`, faults: [{ kind: 'emptyPage', ...on }] }),
      () => ({ what: `page ${page} of ${shelf.name} is not there`, faults: [{ kind: 'notFound', ...on }] }),
      () => {
        const count = chance.whole(1, 6);
        return {
          what: `page ${page} of ${shelf.name} lacks ${count}`,
          faults: [{ kind: 'missingItems', count, ...on }],
        };
      },
      () => ({
        what: `page ${page} of ${shelf.name} and of all below it is empty`,
        faults: [{ kind: 'emptyPage', categories: [shelf.categoryId, ...shelf.below], pages: [page] }],
      }),
      () => ({
        what: `page ${page} of ${shelf.name} has null in place of a product`,
        faults: [{ kind: 'nullNodes', count: 1, total: 0, ...on }],
      }),
    ])();
  },

  'missing category'({ chance, shelves }) {
    // A missing category without products of its own loses no product, and a first night cannot miss a category that
    // nothing refers to.
    const shelf = chance.pick(shelves.filter(({ ownElsewhere }) => ownElsewhere > 0));
    const hidden: FaultRule = { kind: 'missingCategory', categories: [shelf.categoryId] };
    if (chance.happens(0.5)) return { what: `${shelf.name} is not in the taxonomy`, faults: [hidden] };
    return {
      what: `${shelf.name} is not in the taxonomy, and its pages are empty`,
      faults: [hidden, { kind: 'emptyPage', categories: [shelf.categoryId, ...shelf.below] }],
    };
  },

  'shifted pages'({ chance, large, pagesOf }) {
    const shelf = chance.pick(large);
    const drawn = chance.whole(1, 6) * (chance.happens(0.5) ? 1 : -1);
    // Before products enter, fewer pages are declared: what enters after the last of them was not there in time.
    const pagesBefore = pagesOf({ ...shelf, products: shelf.products + Math.min(0, drawn) });
    const count = pagesBefore > 1 ? drawn : Math.abs(drawn);
    const after = chance.whole(1, (count > 0 ? pagesOf(shelf) : pagesBefore) - 1);
    return {
      what:
        `${Math.abs(count)} ${count > 0 ? 'leave' : 'enter'} the front of ${shelf.name} after ${after} of its ` +
        `${pagesOf(shelf)} pages`,
      faults: [{ kind: 'shift', categories: [shelf.categoryId], count, after }],
    };
  },

  'wrong total'({ chance, shelves, pagesOf }) {
    const shelf = chance.pick(shelves);
    const delta = chance.whole(1, Math.max(2, shelf.products)) * (chance.happens(0.7) ? -1 : 1);
    const pages = chance.happens(0.3) ? { pages: [chance.whole(1, pagesOf(shelf))] } : {};
    return {
      what: `${shelf.name} declares ${delta > 0 ? '+' : ''}${delta}${pages.pages ? ` on page ${pages.pages[0]}` : ''}`,
      faults: [{ kind: 'wrongTotal', categories: [shelf.categoryId], delta, ...pages }],
    };
  },

  'silent cap'({ chance, shelves }) {
    const shelf = chance.pick(shelves);
    if (chance.happens(0.15)) return { what: 'a tenth of everything', faults: [{ kind: 'tenth' }] };
    if (chance.happens(0.2))
      return { what: `a tenth of ${shelf.name}`, faults: [{ kind: 'tenth', categories: [shelf.categoryId] }] };
    const count = chance.whole(1, Math.max(1, shelf.products - 1));
    return {
      what: `${shelf.name} shows ${count} of ${shelf.products}`,
      faults: [{ kind: 'cap', categories: [shelf.categoryId], count }],
    };
  },

  duplicates({ chance, large, pagesOf }) {
    const shelf = chance.pick(large);
    const page = chance.whole(2, pagesOf(shelf));
    const count = chance.whole(1, 5);
    const times = chance.happens(0.5) ? {} : { times: chance.whole(1, 2) };
    return {
      what:
        `page ${page} of ${shelf.name} begins with ${count} of the page ` +
        `before${times.times ? `, ${times.times} times` : ''}`,
      faults: [{ kind: 'duplicates', categories: [shelf.categoryId], pages: [page], count, ...times }],
    };
  },
};
