import type { FaultRule, Simulator } from '../../src/simulator/index.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { createRandom, type Random } from './random.ts';

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

/** A top-level category as the upstream shows it on a date. */
export interface Shelf {
  readonly categoryId: string;
  readonly name: string;
  readonly products: number;
  /** Of those, at home here, and of those, listed elsewhere, too. */
  readonly own: number;
  readonly ownElsewhere: number;
  readonly below: readonly string[];
}

/** Top-level categories of a region on a date, those without products left out. */
export function shelvesOf(simulator: Pick<Simulator, 'truth'>, date: string): Shelf[] {
  const counts = new Map<string, number>();
  const own = new Map<string, number>();
  const elsewhere = new Map<string, number>();
  const count = (counted: Map<string, number>, id: string) => counted.set(id, (counted.get(id) ?? 0) + 1);
  for (const { categoryIds } of simulator.truth('uk', date)) {
    for (const id of categoryIds) count(counts, id);
    const [home] = categoryIds;
    count(own, home!);
    if (categoryIds.some((id) => decodeCategoryId(id)![0] !== decodeCategoryId(home!)![0])) count(elsewhere, home!);
  }
  const paths = [...counts.keys()].map((id) => ({ id, path: decodeCategoryId(id)! }));
  return paths
    .filter(({ path }) => path.length === 1)
    .map(({ id, path }) => ({
      categoryId: id,
      name: path[0]!,
      products: counts.get(id)!,
      own: own.get(id) ?? 0,
      ownElsewhere: elsewhere.get(id) ?? 0,
      below: paths.filter((other) => other.path.length > 1 && other.path[0] === path[0]).map((other) => other.id),
    }))
    .sort((a, b) => (a.categoryId < b.categoryId ? -1 : 1));
}

/** The injection number `index` of a seed: kinds take turns, everything else is drawn. */
export function drawInjection(seed: number, index: number, shelves: readonly Shelf[], pageSize: number): Injection {
  const random = createRandom(seed * 1_000_003 + index);
  const kind = injectionKinds[index % injectionKinds.length]!;
  const pagesOf = (shelf: Shelf) => Math.ceil(shelf.products / pageSize);
  const large = shelves.filter((shelf) => pagesOf(shelf) > 1);
  const draw = draws[kind];
  return { kind, ...draw({ random, shelves, large, pageSize, pagesOf }) };
}

interface Draw {
  readonly random: Random;
  readonly shelves: readonly Shelf[];
  /** Those with several pages. */
  readonly large: readonly Shelf[];
  readonly pageSize: number;
  pagesOf(shelf: Shelf): number;
}

type Drawn = Omit<Injection, 'kind'>;

const draws: Readonly<Record<InjectionKind, (draw: Draw) => Drawn>> = {
  'missing page'({ random, shelves, pagesOf }) {
    const shelf = random.pick(shelves);
    const page = random.from(1, pagesOf(shelf));
    const on = { categories: [shelf.categoryId], pages: [page] };
    return random.pick<() => Drawn>([
      () => ({ what: `page ${page} of ${shelf.name} is empty`, faults: [{ kind: 'emptyPage', ...on }] }),
      () => ({ what: `page ${page} of ${shelf.name} is not there`, faults: [{ kind: 'notFound', ...on }] }),
      () => {
        const count = random.from(1, 6);
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

  'missing category'({ random, shelves }) {
    // A category without goods of its own that is gone without a trace is gone: no product is lost with it. And what
    // nothing else points to cannot be missed on a first night.
    const shelf = random.pick(shelves.filter(({ ownElsewhere }) => ownElsewhere > 0));
    const hidden: FaultRule = { kind: 'missingCategory', categories: [shelf.categoryId] };
    if (random.happens(0.5)) return { what: `${shelf.name} is not in the taxonomy`, faults: [hidden] };
    return {
      what: `${shelf.name} is not in the taxonomy, and its pages are empty`,
      faults: [hidden, { kind: 'emptyPage', categories: [shelf.categoryId, ...shelf.below] }],
    };
  },

  'shifted pages'({ random, large, pagesOf }) {
    const shelf = random.pick(large);
    const count = random.from(1, 6) * (random.happens(0.5) ? 1 : -1);
    const after = random.from(1, pagesOf(shelf) - 1);
    return {
      what: `${Math.abs(count)} ${count > 0 ? 'leave' : 'enter'} the front of ${shelf.name} after ${after} of its ${pagesOf(shelf)} pages`,
      faults: [{ kind: 'shift', categories: [shelf.categoryId], count, after }],
    };
  },

  'wrong total'({ random, shelves, pagesOf }) {
    const shelf = random.pick(shelves);
    const delta = random.from(1, Math.max(2, shelf.products)) * (random.happens(0.7) ? -1 : 1);
    const pages = random.happens(0.3) ? { pages: [random.from(1, pagesOf(shelf))] } : {};
    return {
      what: `${shelf.name} declares ${delta > 0 ? '+' : ''}${delta}${pages.pages ? ` on page ${pages.pages[0]}` : ''}`,
      faults: [{ kind: 'wrongTotal', categories: [shelf.categoryId], delta, ...pages }],
    };
  },

  'silent cap'({ random, shelves }) {
    const shelf = random.pick(shelves);
    if (random.happens(0.15)) return { what: 'a tenth of everything', faults: [{ kind: 'tenth' }] };
    if (random.happens(0.2))
      return { what: `a tenth of ${shelf.name}`, faults: [{ kind: 'tenth', categories: [shelf.categoryId] }] };
    const count = random.from(1, Math.max(1, shelf.products - 1));
    return {
      what: `${shelf.name} shows ${count} of ${shelf.products}`,
      faults: [{ kind: 'cap', categories: [shelf.categoryId], count }],
    };
  },

  duplicates({ random, large, pagesOf }) {
    const shelf = random.pick(large);
    const page = random.from(2, pagesOf(shelf));
    const count = random.from(1, 5);
    const times = random.happens(0.5) ? {} : { times: random.from(1, 2) };
    return {
      what: `page ${page} of ${shelf.name} begins with ${count} of the page before${times.times ? `, ${times.times} times` : ''}`,
      faults: [{ kind: 'duplicates', categories: [shelf.categoryId], pages: [page], count, ...times }],
    };
  },
};
