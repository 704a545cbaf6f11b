import pLimit from 'p-limit';
import type { Dispatcher } from 'undici';
import { planFrontier } from '../../src/crawl/plan/frontier.ts';
import { defaultPageSize, pagesDeclared } from '../../src/crawl/plan/paging.ts';
import { exchange, requestTarget } from '../../src/gateway/exchange.ts';
import { connectTo } from '../../src/gateway/origin.ts';
import { simulatorHosts } from '../../src/simulator/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';

/** A page that a night requests. */
interface PageQuestion {
  readonly categoryId: string;
  readonly pageNo: number;
}

const { taxonomy, categoryPage } = endpointsOf.uk;

/** As many as the program has in flight by default (REQUEST_CONCURRENCY). */
const concurrency = 16;

const headers = {
  accept: 'application/json',
  'accept-encoding': 'gzip',
  'X-Gateway-Host': simulatorHosts.grocery,
  'X-Gateway-Key': 'bench',
};

/** Every page that a UK night requests, found in the same way as by a crawl. */
export async function listPages(url: string): Promise<PageQuestion[]> {
  return connected(url, async (origin) => {
    const tree = taxonomy.read(await ask(origin, requestTarget(taxonomy.paths[0], {})), undefined).records;
    const { toRead } = planFrontier(tree.nodes, { maxIdLength: 300 });
    const totals = await Promise.all(
      toRead.map(async ({ categoryId }) => (await readPage(origin, { categoryId, pageNo: 1 })).declaredTotal ?? 0),
    );
    return toRead.flatMap(({ categoryId }, at) =>
      Array.from({ length: pagesDeclared(totals[at]!, defaultPageSize) }, (_, i) => ({ categoryId, pageNo: i + 1 })),
    );
  });
}

/** Seconds to fetch, drain and understand the pages, with the program's own way of asking and no database. */
export async function fetchPages(url: string, pages: readonly PageQuestion[]): Promise<number> {
  return connected(url, async (origin) => {
    const limit = pLimit(concurrency);
    const startedAt = performance.now();
    await limit.map(pages, (page) => readPage(origin, page));
    return (performance.now() - startedAt) / 1_000;
  });
}

async function connected<Result>(url: string, use: (origin: Dispatcher) => Promise<Result>): Promise<Result> {
  const origin = connectTo(url, { connections: concurrency, local: true });
  try {
    return await use(origin);
  } finally {
    await origin.close();
  }
}

async function readPage(origin: Dispatcher, page: PageQuestion) {
  return categoryPage.read(await ask(origin, requestTarget(categoryPage.paths[0], categoryPage.query(page))), page)
    .records;
}

async function ask(origin: Dispatcher, path: string): Promise<unknown> {
  const { status, bytes } = await exchange(origin, { path, headers });
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  return JSON.parse(Buffer.from(bytes).toString());
}
