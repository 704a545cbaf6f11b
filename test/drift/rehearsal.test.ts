import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCensuses } from '../../src/drift/compare.ts';
import { diffOf, readMapping } from '../../src/drift/mapping-diff.ts';
import { censusOf, type Sampled } from '../../src/drift/night-census.ts';
import { proposeMoves } from '../../src/drift/propose.ts';
import { type Endpoint, endpointsOf } from '../../src/endpoints/index.ts';
import { createSimulator, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import { ask, pageOf, type Region, taxonomyPath } from '../simulator/asking.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pricebook-drift-'));
let simulator: Simulator;
let before: Record<Region, readonly Sampled[]>;

beforeAll(async () => {
  simulator = await createSimulator({ items: 300, superDepartments: 6, date: '2026-03-01', evolve: false });
  before = { uk: await pages('uk'), ie: await pages('ie') };
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const movedIn = (field: string, to: string): FaultRule[] => [{ kind: 'movedField', field, to }];

const drifts: readonly {
  readonly name: string;
  readonly region: Region;
  readonly faults?: readonly FaultRule[];
  readonly behaviour?: { readonly ieShape: 'wrapped' };
  /** What is done to a body beyond what the simulator does. */
  readonly turned?: (body: never) => unknown;
  readonly move: { readonly from: string; readonly to: string };
  readonly isNeeded: boolean;
}[] = [
  {
    name: '`price.price` renamed',
    region: 'uk',
    faults: movedIn('price.price', 'price.amount'),
    move: { from: 'data.products[].price.amount', to: 'data.products[].price.price' },
    isNeeded: true,
  },
  {
    name: '`promotions` moved under `sellers`',
    region: 'uk',
    faults: movedIn('promotions', 'sellers.promotions'),
    move: { from: 'data.products[].sellers.promotions', to: 'data.products[].promotions' },
    isNeeded: true,
  },
  {
    name: '`promotions` moved to the first of `sellers.results[]`, which the contract knows',
    region: 'uk',
    faults: movedIn('promotions', 'sellers.results[].promotions'),
    move: { from: 'data.products[].sellers.results[].promotions', to: 'data.products[].promotions' },
    isNeeded: false,
  },
  {
    name: 'an Irish page turned from `results[]` to `results.results[]`, which the contract knows',
    region: 'ie',
    behaviour: { ieShape: 'wrapped' },
    move: { from: 'data.results.results', to: 'data.results' },
    isNeeded: false,
  },
  {
    name: 'an Irish page turned from `results[]` to `results.items[]`',
    region: 'ie',
    turned: ({ data, ...rest }: { data: { results: unknown } }) => ({
      ...rest,
      data: { ...data, results: { items: data.results } },
    }),
    move: { from: 'data.results.items', to: 'data.results' },
    isNeeded: true,
  },
];

describe.each(drifts)('drift: $name', ({ region, faults = [], behaviour = {}, turned, move, isNeeded }) => {
  let drifted: readonly Sampled[];
  const endpoint = endpointsOf[region].categoryPage as Endpoint<never, unknown>;

  beforeAll(async () => {
    simulator.change({ faults: [...faults], ...behaviour });
    const asked = await pages(region);
    simulator.change({ faults: [], ieShape: 'node' });
    drifted = turned ? asked.map((each) => ({ ...each, body: turned(each.body as never) })) : asked;
  });

  test('is found, breaking where something is lost', () => {
    const findings = compareCensuses(censusOf(endpoint, before[region]), censusOf(endpoint, drifted));
    expect(findings.some(({ severity }) => severity === 'breaking')).toBe(isNeeded);
    expect(findings.filter(({ severity }) => severity !== 'info')).not.toEqual([]);
  });

  test('is proposed as it was; the diff, applied to a copy, makes the contract read what it read before', async () => {
    const known = censusOf(endpoint, before[region]);
    const proposals = proposeMoves(endpoint, known.upstream, drifted);
    expect(proposals).toEqual([{ endpoint: endpoint.name, ...move, isNeeded }]);
    const mended = isNeeded ? await endpointOfCopy(endpoint.name, diffOf(proposals, readMapping())) : endpoint;
    expect(drifted.map((each) => recordsOf(mended, each))).toEqual(
      before[region].map((each) => recordsOf(endpoint, each)),
    );
  });
});

test('prices in pence are found as a hundredfold jump of what is read, and nothing is proposed', async () => {
  simulator.change({ faults: [{ kind: 'pencePrices' }] });
  const drifted = await pages('uk');
  simulator.change({ faults: [] });
  const endpoint = endpointsOf.uk.categoryPage as Endpoint<never, unknown>;
  const known = censusOf(endpoint, before.uk);
  expect(compareCensuses(known, censusOf(endpoint, drifted))).toContainEqual(
    expect.objectContaining({
      kind: 'jump',
      severity: 'breaking',
      path: 'data.products[].price.price',
      said: expect.stringContaining('×100'),
    }),
  );
  expect(proposeMoves(endpoint, known.upstream, drifted)).toEqual([]);
});

test('another day of the same supermarket is no drift', async () => {
  const other = await createSimulator({ items: 300, superDepartments: 6, date: '2026-03-05' });
  const endpoint = endpointsOf.uk.categoryPage as Endpoint<never, unknown>;
  const now = censusOf(endpoint, await pages('uk', other));
  await other.close();
  const findings = compareCensuses(censusOf(endpoint, before.uk), now);
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

function recordsOf(endpoint: Endpoint<never, unknown>, { question, body }: Sampled) {
  return JSON.parse(JSON.stringify(endpoint.read(body, { ...question, pageNo: 1 } as never)));
}

let copies = 0;

/** An endpoint of a copy of the program to which the diff was applied. */
async function endpointOfCopy(name: string, diff: string): Promise<Endpoint<never, unknown>> {
  const copy = join(folder, `copy-${copies++}`);
  for (const part of ['endpoints', 'normalise', 'model', 'listings', 'plan', 'errors.ts', 'clock.ts']) {
    cpSync(join(root, 'src', part), join(copy, 'src', part), { recursive: true });
  }
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['apply', '-'], { cwd: copy, input: diff });
  const { endpoints } = await import(/* @vite-ignore */ pathToFileURL(join(copy, 'src/endpoints/index.ts')).href);
  return endpoints.find((each: { name: string }) => each.name === name);
}
