import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareProfiles } from '../../src/followers/drift/compare.ts';
import { findMovedFields } from '../../src/followers/drift/moved-fields.ts';
import { nightProfileOf, type Sampled } from '../../src/followers/drift/night-profile.ts';
import { profileOf } from '../../src/followers/drift/payload-profile.ts';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { type Endpoint, endpointsOf } from '../../src/source/endpoints/index.ts';
import { ask, pageOf, type Region, taxonomyPath } from '../simulator/asking.ts';

let simulator: Simulator;
let before: Record<Region, readonly Sampled[]>;

beforeAll(async () => {
  simulator = await createSimulator({ items: 300, superDepartments: 6, date: '2026-03-01', evolve: false });
  before = { uk: await pages('uk'), ie: await pages('ie') };
});
afterAll(() => simulator.close());

const movedIn = (field: string, to: string): FaultRule[] => [{ kind: 'movedField', field, to }];

const drifts: readonly {
  readonly name: string;
  readonly region: Region;
  readonly faults?: readonly FaultRule[];
  readonly behaviour?: { readonly ieShape: 'wrapped' };
  /** Changes of a body beyond those of the simulator. */
  readonly turned?: (body: never) => unknown;
  readonly old: string;
  readonly movedTo: string;
  readonly isBreaking: boolean;
}[] = [
  {
    name: '`price.price` renamed',
    region: 'uk',
    faults: movedIn('price.price', 'price.amount'),
    old: 'data.products[].price.price',
    movedTo: 'data.products[].price.amount',
    isBreaking: true,
  },
  {
    name: '`promotions` moved under `sellers`',
    region: 'uk',
    faults: movedIn('promotions', 'sellers.promotions'),
    old: 'data.products[].promotions',
    movedTo: 'data.products[].sellers.promotions',
    isBreaking: true,
  },
  {
    name: '`promotions` moved to the first of `sellers.results[]`, which the contract knows',
    region: 'uk',
    faults: movedIn('promotions', 'sellers.results[].promotions'),
    old: 'data.products[].promotions',
    movedTo: 'data.products[].sellers.results[].promotions',
    isBreaking: false,
  },
  {
    name: 'an Irish page turned from `results[]` to `results.results[]`, which the contract knows',
    region: 'ie',
    behaviour: { ieShape: 'wrapped' },
    old: 'data.results',
    movedTo: 'data.results.results',
    isBreaking: false,
  },
  {
    name: 'an Irish page turned from `results[]` to `results.items[]`',
    region: 'ie',
    turned: ({ data, ...rest }: { data: { results: unknown } }) => ({
      ...rest,
      data: { ...data, results: { items: data.results } },
    }),
    old: 'data.results',
    movedTo: 'data.results.items',
    isBreaking: true,
  },
];

describe.each(drifts)('drift: $name', ({ region, faults = [], behaviour = {}, turned, old, movedTo, isBreaking }) => {
  let drifted: readonly Sampled[];
  const endpoint = endpointsOf[region].categoryPage as Endpoint<never, unknown>;

  beforeAll(async () => {
    simulator.change({ faults: [...faults], ...behaviour });
    const asked = await pages(region);
    simulator.change({ faults: [], ieShape: 'node' });
    drifted = turned ? asked.map((each) => ({ ...each, body: turned(each.body as never) })) : asked;
  });

  test('the report names the old and the new place, and is breaking if a value is lost', () => {
    const findings = compareProfiles(nightProfileOf(endpoint, before[region]), nightProfileOf(endpoint, drifted));
    expect(findings.some(({ severity }) => severity === 'breaking')).toBe(isBreaking);
    const moved = findings.filter((finding) => finding.movedTo);
    expect(moved.map(({ path, movedTo }) => ({ path, movedTo }))).toEqual([{ path: old, movedTo }]);
  });
});

test('prices in pence are reported as values multiplied by 100, not as a moved field', async () => {
  simulator.change({ faults: [{ kind: 'pencePrices' }] });
  const drifted = await pages('uk');
  simulator.change({ faults: [] });
  const endpoint = endpointsOf.uk.categoryPage as Endpoint<never, unknown>;
  const known = nightProfileOf(endpoint, before.uk);
  const findings = compareProfiles(known, nightProfileOf(endpoint, drifted));
  expect(findings).toContainEqual(
    expect.objectContaining({
      kind: 'jump',
      severity: 'breaking',
      path: 'data.products[].price.price',
      said: expect.stringContaining('×100'),
    }),
  );
  expect(findings.filter(({ movedTo }) => movedTo)).toEqual([]);
});

test('another day of the same supermarket is not drift', async () => {
  const other = await createSimulator({ items: 300, superDepartments: 6, date: '2026-03-05' });
  const endpoint = endpointsOf.uk.categoryPage as Endpoint<never, unknown>;
  const now = nightProfileOf(endpoint, await pages('uk', other));
  await other.close();
  const findings = compareProfiles(nightProfileOf(endpoint, before.uk), now);
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

test('a renamed text with other values is found, and two fields never share a new place', () => {
  const night = (fields: (i: number) => object) => profileOf(Array.from({ length: 40 }, (_, i) => fields(i)));
  const moved = findMovedFields(
    night((i) => ({ title: `Long title of product ${i}`, brand: 'Own' })),
    night((i) => ({ name: `Another title of product ${i}` })),
  );
  expect([...moved]).toEqual([['title', 'name']]);
});
