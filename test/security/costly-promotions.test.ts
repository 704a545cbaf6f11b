import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIngest } from '../../src/crawl/ingest.ts';
import type { Answer } from '../../src/gateway/gateway.ts';
import { ukCategoryPage } from '../../src/source/endpoints/index.ts';
import { ukElement } from '../endpoints/listed-element.ts';

const asked = { categoryId: 'b;RHJpbmtz', pageNo: 1 };

/** Texts that each repeat one part, no two alike. */
function page(part: string, { products, promotions, length }: Record<'products' | 'promotions' | 'length', number>) {
  let n = 0;
  const promotion = () => ({ description: `${part.repeat(length)}`.slice(0, length - 6) + String(100_000 + n++) });
  const element = (_: unknown, i: number) =>
    ukElement({ id: String(300_000_000 + i), promotions: Array.from({ length: promotions }, promotion) });
  return { success: true, data: { products: Array.from({ length: products }, element) } };
}

test('promotions beyond a plausible number are not parsed, and their products are kept', () => {
  const hostile = page('£1 clubcard price or 2 for £3 or ', { products: 1_000, promotions: 20, length: 100 });
  const { records, rejected } = ukCategoryPage.read(hostile, asked);
  expect(records.products).toHaveLength(1_000);
  expect(records.products.reduce((sum, { promotions }) => sum + promotions.length, 0)).toBe(2_000);
  expect(rejected).toHaveLength(900);
});

test('other work continues between two pages of a group', async () => {
  const answer = { body: page('£1', { products: 1, promotions: 1, length: 50 }), payload: {} } as unknown as Answer;
  let pagesRead = 0;
  const endpoint = { ...ukCategoryPage, read: () => ({ records: ++pagesRead, rejected: [] }) };
  const ingest = createIngest({
    archive: { put: async () => undefined },
    extraFields: [],
    onBroken: async () => undefined,
  });
  const reading = ingest(endpoint, Array(8).fill({ params: asked, answer }), 1);
  const seen = new Set<number>();
  for (; pagesRead < 8; await setImmediate()) seen.add(pagesRead);
  await reading;
  expect(seen.size).toBeGreaterThan(4);
});
