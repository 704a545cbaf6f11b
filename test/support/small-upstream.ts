import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { listening } from './listening.ts';

/** A product as a British category page shows it. */
export interface SmallProduct {
  readonly id: string;
  /** In pounds; null: none. */
  readonly price?: number | null;
  readonly title?: string;
  /** Names from the top down; by default the category that lists it. */
  readonly breadcrumb?: readonly string[];
  /** Any field, over all others. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/**
 * What a British upstream shows: products by category path (`Fresh Food|Fruit`); a path without products is in the
 * taxonomy too.
 */
export type Shelves = Readonly<Record<string, readonly SmallProduct[]>>;

export interface Asked {
  readonly path: string;
  readonly pageNo: number;
  /** Number of earlier requests for this page. */
  readonly before: number;
}

export interface SmallUpstreamOptions {
  readonly shelves: Shelves;
  /** 2. */
  readonly pageSize?: number;
  /** Declared total, if not the actual one. */
  readonly declared?: (path: string, total: number) => number;
  /** Replaces the products of a page. */
  readonly page?: (asked: Asked, products: readonly SmallProduct[]) => readonly SmallProduct[];
  /** A page is answered when this has come true. */
  readonly until?: (asked: Asked) => Promise<unknown>;
  /** Counts of every page, over its own. */
  readonly counts?: Readonly<Record<string, unknown>>;
  /** Replaces the response to a page; null: the page itself. */
  readonly instead?: (asked: Asked) => SmallAnswer | null;
  /** The taxonomy instead of that of the shelves. */
  readonly taxonomy?: (own: readonly Node[]) => readonly unknown[];
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Response of the details endpoint; without it there is no such endpoint. */
  readonly details?: (productId: string) => SmallAnswer;
}

export interface SmallAnswer {
  readonly status: number;
  /** JSON, or the text of a Buffer as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An upstream with a few products that a test chooses freely, unlike those of the simulator. */
export interface SmallUpstream {
  readonly url: string;
  /** Requested pages in order, such as `Fresh Food p2`. */
  readonly log: readonly string[];
  change(options: Partial<SmallUpstreamOptions>): void;
  close(): Promise<void>;
}

export async function createSmallUpstream(initial: SmallUpstreamOptions): Promise<SmallUpstream> {
  let options = initial;
  let log: string[] = [];

  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers } = await answerTo(new URL(request.url ?? '/', 'http://upstream'));
    response.writeHead(status, { 'content-type': 'application/json', ...options.headers, ...headers });
    response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }

  async function answerTo({ pathname, searchParams }: URL): Promise<SmallAnswer> {
    if (pathname === '/category-page') return categoryPage(searchParams);
    if (pathname === '/product-details' && options.details) return options.details(searchParams.get('productId')!);
    if (!pathname.startsWith('/get-category-id')) return { status: 404, body: { message: 'Endpoint does not exist' } };
    const { taxonomy = (own) => own } = options;
    return success({ taxonomy: taxonomy(tree(Object.keys(options.shelves))) });
  }

  async function categoryPage(query: URLSearchParams): Promise<SmallAnswer> {
    const categoryId = query.get('categoryId')!;
    const pageNo = Number(query.get('pageNo') ?? 1);
    const path = pathsOf(options.shelves).find((known) => encodeCategoryId(known.split('|')) === categoryId) ?? '';
    const { pageSize = 2, declared = (_, total) => total, page = (_, products) => products } = options;
    const listed = listedBy(options.shelves, path);
    const name = `${path} p${pageNo}`;
    const before = log.filter((entry) => entry === name).length;
    log.push(name);
    await options.until?.({ path, pageNo, before });
    const instead = options.instead?.({ path, pageNo, before });
    if (instead) return instead;
    const shown = page({ path, pageNo, before }, listed.slice((pageNo - 1) * pageSize, pageNo * pageSize));
    return success({
      categoryId,
      pageNo,
      pageInformation: {
        totalResults: declared(path, listed.length),
        currentPage: pageNo,
        resultsOnPage: shown.length,
        resultsPerPage: pageSize,
        ...options.counts,
      },
      products: shown.map((product) => element(product, path)),
    });
  }

  const { url, close } = await listening(server);
  return {
    url,
    get log() {
      return log;
    },
    change(change) {
      options = { ...options, ...change };
      log = [];
    },
    close,
  };
}

function success(data: unknown): SmallAnswer {
  return { status: 200, body: { success: true, data } };
}

/** A category lists the products below it, each once, its own first. */
function listedBy(shelves: Shelves, path: string): readonly SmallProduct[] {
  const below = Object.entries(shelves).filter(([other]) => other === path || other.startsWith(`${path}|`));
  const byId = new Map<string, SmallProduct>();
  for (const [, products] of below)
    for (const product of products) if (!byId.has(product.id)) byId.set(product.id, product);
  return [...byId.values()];
}

function element({ id, price = 1, title = `Product ${id}`, breadcrumb, fields }: SmallProduct, path: string) {
  const names = breadcrumb ?? path.split('|');
  return {
    id,
    tpnb: `9${id}`,
    gtin: null,
    title,
    brand: null,
    isForSale: true,
    imageUrl: `https://images.example/${id}.jpeg`,
    price: price === null ? null : { price, unitPrice: price, unitOfMeasure: 'each' },
    promotions: [],
    reviews: null,
    categoryBreadcrumbs: names.map((name, level) => ({ id: encodeCategoryId(names.slice(0, level + 1)), name, level })),
    ...fields,
  };
}

const levels = ['superDepartment', 'department', 'aisle', 'shelf'];

export interface Node {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly children: Node[];
}

function tree(paths: readonly string[]): Node[] {
  const top: Node[] = [];
  for (const path of paths) {
    let siblings = top;
    const names = path.split('|');
    for (const [depth, name] of names.entries()) {
      let node = siblings.find((known) => known.name === name);
      if (!node) {
        node = { id: encodeCategoryId(names.slice(0, depth + 1)), name, label: levels[depth]!, children: [] };
        siblings.push(node);
      }
      siblings = node.children;
    }
  }
  return top;
}

/** All paths, ancestors included. */
function pathsOf(shelves: Shelves): string[] {
  const paths = Object.keys(shelves).flatMap((path) => {
    const names = path.split('|');
    return names.map((_, depth) => names.slice(0, depth + 1).join('|'));
  });
  return [...new Set(paths)];
}
