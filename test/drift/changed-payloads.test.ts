import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareProfiles } from '../../src/followers/drift/compare.ts';
import { profileOf, type Sampled } from '../../src/followers/drift/profile.ts';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { type Endpoint, endpointsOf } from '../../src/source/endpoints/index.ts';
import { ask, pageOf, type Region, taxonomyPath } from '../simulator/asking.ts';

const shop = { items: 300, superDepartments: 6, promoted: 0.25 };
let simulator: Simulator;
let before: Record<Region, readonly Sampled[]>;

beforeAll(async () => {
  simulator = await createSimulator({ ...shop, date: '2026-03-01', evolve: false });
  before = { uk: await pages('uk'), ie: await pages('ie') };
});
afterAll(() => simulator.close());

const movedIn = (field: string, to: string): Change => ({ faults: [{ kind: 'movedField', field, to }] });
const promotions = 'data.products[].promotions';
const known = 'sellers.results[].promotions';

interface Change {
  readonly faults?: readonly FaultRule[];
  readonly ieShape?: 'wrapped';
  /** Changes of a body beyond those of the simulator. */
  readonly turned?: (body: never) => unknown;
}

const itemsBelowResults = ({ data, ...rest }: { data: { results: unknown } }) => ({
  ...rest,
  data: { ...data, results: { items: data.results } },
});

const drifts: [name: string, region: Region, change: Change, old: string, isBreaking: boolean][] = [
  ['`price.price` renamed', 'uk', movedIn('price.price', 'price.amount'), 'data.products[].price.price', true],
  ['`promotions` moved under `sellers`', 'uk', movedIn('promotions', 'sellers.promotions'), promotions, true],
  ['`promotions` moved to where the contract knows them', 'uk', movedIn('promotions', known), promotions, false],
  ['an Irish page turned from `results[]` to `results.results[]`', 'ie', { ieShape: 'wrapped' }, 'data.results', false],
  [
    'an Irish page turned from `results[]` to `results.items[]`',
    'ie',
    { turned: itemsBelowResults },
    'data.results',
    true,
  ],
];

describe.each(drifts)('drift: %s', (_, region, { faults = [], turned, ...behaviour }, old, isBreaking) => {
  let drifted: readonly Sampled[];
  const endpoint = endpointsOf[region].categoryPage as Endpoint<never, unknown>;

  beforeAll(async () => {
    simulator.change({ faults: [...faults], ...behaviour });
    const asked = await pages(region);
    simulator.change({ faults: [], ieShape: 'node' });
    drifted = turned ? asked.map((each) => ({ ...each, body: turned(each.body as never) })) : asked;
  });

  test('the report names the place, and is breaking if a value is lost', () => {
    const findings = compareProfiles(profileOf(endpoint, before[region]), profileOf(endpoint, drifted));
    expect(findings.some(({ severity }) => severity === 'breaking')).toBe(isBreaking);
    const named = findings.filter(({ severity }) => severity !== 'info').map(({ path }) => path);
    expect(named).toContain(old);
  });
});

test('another day of the same supermarket is not drift', async () => {
  const other = await createSimulator({ ...shop, date: '2026-03-05' });
  const endpoint = endpointsOf.uk.categoryPage as Endpoint<never, unknown>;
  const now = profileOf(endpoint, await pages('uk', other));
  await other.close();
  const findings = compareProfiles(profileOf(endpoint, before.uk), now);
  expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
});

async function pages(region: Region, upstream = simulator): Promise<Sampled[]> {
  const { body } = await ask(upstream, taxonomyPath[region]);
  return Promise.all(
    (body.data.taxonomy as { id: string }[]).slice(0, 6).map(async ({ id }) => ({
      question: { categoryId: id, pageNo: '1' },
      body: (await ask(upstream, pageOf(region, id))).body,
    })),
  );
}
