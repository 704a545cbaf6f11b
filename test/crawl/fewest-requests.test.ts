import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type Shelves, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

const pageSize = 24;
const departments = 15;
const children = 152;
const products = 4_300;
/** Every n-th product is listed by another department as well. */
const listedTwice = 20;

/**
 * An invented tree with the numbers of a small real one: few large departments and many small ones, each with about ten
 * children.
 */
function realShaped(): Shelves {
  const shelves: Record<string, SmallProduct[]> = {};
  const paths = Array.from({ length: children }, (_, i) => `Department ${i % departments}|Shelf ${i}`);
  for (const path of paths) shelves[path] = [];
  for (let i = 0; i < products; i += 1) {
    // Quadratic: the first shelves are several times as large as the last.
    const home = paths[Math.floor(((i * 7_919) % products) ** 2 / ((products * products) / children))]!;
    const product = { id: String(10_000 + i), breadcrumb: home.split('|') };
    shelves[home]!.push(product);
    const other = paths[(i * 31) % children]!;
    if (i % listedTwice === 0 && other.split('|')[0] !== home.split('|')[0]) shelves[other]!.push(product);
  }
  return shelves;
}

describe('a catalogue shaped like a real one: 15 departments, 152 children, some goods listed twice', () => {
  const installation = useInstallation();
  const shelves = realShaped();
  let upstream: SmallUpstream;
  let book: DirectBook;

  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize });
    const { databaseUrl, queue } = installation;
    book = await openDirectBook({ upstream: upstream.url, env: { DATABASE_URL: databaseUrl, ...queue } });
  });
  afterAll(async () => {
    await book?.close();
    await upstream?.close();
  });

  test('a first night needs 1.3 times the minimum of requests, the next one 1.1 times', async () => {
    const first = await overFewest('2026-05-01');
    expect(first).toBeLessThanOrEqual(1.3);
    expect(await overFewest('2026-05-02')).toBeLessThanOrEqual(1.1);
    expect(first).toBeGreaterThan(1);
  });

  async function overFewest(date: string): Promise<number> {
    const run = await book.night('uk', date);
    expect(run.verdict).toBe('complete');
    const { requestsSpent, productsListed } = await book.base.runs.byId(run.runId);
    return requestsSpent! / Math.ceil(productsListed! / pageSize);
  }
});
