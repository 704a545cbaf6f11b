import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareProfiles } from '../../src/followers/drift/compare.ts';
import { profileOf, type Sampled } from '../../src/followers/drift/profile.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { type Endpoint, endpointsOf } from '../../src/source/endpoints/index.ts';
import { ask, pageOf, type Region, taxonomyPath } from '../simulator/asking.ts';

type Promotion = Record<string, unknown>;
type Turned = (promotions: readonly Promotion[]) => readonly Promotion[];

const isLoyalty = ({ offerType, attributes, description }: Promotion): boolean =>
  offerType === 'CLUBCARD_PRICING' || /club ?card/i.test(`${description} ${attributes}`);

describe.each(['uk', 'ie'] as const)('the first pages of a night in %s', (region: Region) => {
  const endpoint = endpointsOf[region].categoryPage as Endpoint<never, unknown>;
  let simulator: Simulator;
  let before: readonly Sampled[];

  beforeAll(async () => {
    simulator = await createSimulator({ items: 2_400, superDepartments: 20, date: '2026-03-01' });
    before = await firstPages();
    expect(before.length).toBeGreaterThan(10);
  });
  afterAll(() => simulator?.close());

  async function firstPages(): Promise<readonly Sampled[]> {
    const { body } = await ask(simulator, taxonomyPath[region]);
    const ids = (body.data.taxonomy as { id: string }[]).map(({ id }) => id);
    return Promise.all(
      ids.map(async (id) => ({
        question: { categoryId: id, pageNo: '1' },
        body: (await ask(simulator, pageOf(region, id))).body,
      })),
    );
  }

  /** What breaks, when the promotions of a product are others tonight. */
  function breaking(turned: Turned, turnedBefore: Turned = (all) => all): readonly string[] {
    const [known, tonight] = [turnedBefore, turned].map((turn) =>
      before.map(({ question, body }) => ({
        question,
        body: JSON.parse(JSON.stringify(body), (key, value) => (key === 'promotions' ? turn(value) : value)),
      })),
    );
    return compareProfiles(profileOf(endpoint, known!), profileOf(endpoint, tonight!))
      .filter(({ severity }) => severity === 'breaking')
      .map(({ kind, path }) => `${kind} ${path}`);
  }

  test.each<[string, Turned]>([
    ['without any promotion', () => []],
    ['whose loyalty prices have all ended', (all) => all.filter((each) => !isLoyalty(each))],
    [
      'in which a round of deals has taken the place of all loyalty prices',
      (all) => all.map((each) => ({ ...each, description: 'Any 3 for 2', offerType: null, attributes: [] })),
    ],
    ['whose promotions have no dates', (all) => all.map((each) => ({ ...each, startDate: null, endDate: null }))],
  ])('%s is not drift', (_, turned) => {
    expect(breaking(turned)).toEqual([]);
  });

  test('a change from loyalty prices only to deals only is not drift', () => {
    const only = (description: string) => (all: readonly Promotion[]) =>
      all.map((each) => ({ ...each, description, offerType: 'CLUBCARD_PRICING', attributes: ['CLUBCARD_PRICING'] }));
    const price = only(region === 'uk' ? '£1.00 Clubcard Price' : '€1.00 Clubcard Price');
    expect(breaking(only('Any 3 for 2'), price)).toEqual([]);
  });

  test('moved promotion texts are breaking drift', () => {
    expect(breaking((all) => all.map(({ description, ...each }) => ({ ...each, text: description })))).not.toEqual([]);
  });
});
