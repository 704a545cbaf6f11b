import { afterAll, expect, test } from 'vitest';
import { readEnvelope } from '../../src/gateway/envelope.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';

const simulator = await createSimulator({ items: 60, ieShape: 'mixed' });
afterAll(() => simulator.close());

/** In front of every object's own members: names that a careless merge would take for the prototype. */
const poison =
  '"__proto__":{"polluted":true,"title":"x","price":null,"isForSale":true},' +
  '"constructor":{"prototype":{"polluted":true}},';

test.each(['uk', 'ie'] as const)('names like __proto__ do not change the result: %s', async (region) => {
  const { taxonomy, categoryPage, productDetails } = endpointsOf[region];
  const tree = await read(taxonomy, undefined);
  const { categoryId } = tree.nodes[0]!;
  const page = await read(categoryPage, { categoryId, pageNo: 1 });
  expect(page.products.length).toBeGreaterThan(3);
  for (const { productId } of page.products.slice(0, 3)) await read(productDetails, { productId });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('JSON nested a million levels deep is described without recursion', () => {
  const deep = 1_000_000;
  for (const [opening, closing] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const body = Buffer.from(`{"success":true,"data":${opening.repeat(deep)}1${closing.repeat(deep)}}`);
    expect(readEnvelope(body, { 'content-type': 'application/json' })).toMatchObject({ body: null, success: null });
  }
  const within = `{"success":true,"data":${'['.repeat(60)}${']'.repeat(60)}}`;
  expect(readEnvelope(Buffer.from(within), {}).body).not.toBeNull();
});

/** The records, after seeing that the poisoned answer has the same. */
async function read<Params, Records>(
  endpoint: {
    readonly paths: readonly string[];
    query(params: Params): Readonly<Record<string, string>>;
    read(body: Readonly<Record<string, unknown>>, params: Params): { records: Records };
  },
  params: Params,
): Promise<Records> {
  const response = await fetch(`${simulator.url}${endpoint.paths[0]}?${new URLSearchParams(endpoint.query(params))}`, {
    headers: { 'X-Gateway-Key': 'any', 'X-Gateway-Host': 'grocery.simulator' },
  });
  const clean = await response.text();
  const poisoned = clean.replace(/\{(?=")/g, `{${poison}`);
  expect(poisoned.length).toBeGreaterThan(clean.length);
  const [records, same] = [clean, poisoned].map((text) => {
    const { body } = readEnvelope(Buffer.from(text), { 'content-type': 'application/json' });
    return endpoint.read(body!, params).records;
  });
  expect(same).toEqual(records);
  return records!;
}
