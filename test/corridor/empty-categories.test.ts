import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import {
  createSmallUpstream,
  type Shelves,
  type SmallAnswer,
  type SmallUpstream,
  type SmallUpstreamOptions,
} from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

/** Departments of twenty products. */
const departments = (names: readonly string[]): Shelves =>
  Object.fromEntries(
    names.map((name, d) => [
      `${name}|Shelf`,
      Array.from({ length: 20 }, (_, i) => ({ id: String(1_000 * (d + 1) + i), breadcrumb: [name, 'Shelf'] })),
    ]),
  );
const numbered = (count: number) => Array.from({ length: count }, (_, d) => `Department ${d}`);
const ordinary = departments(numbered(10));

const counts = { totalResults: 0, resultsOnPage: 0 };
const failed = (status: number, message: string, error?: string): SmallAnswer => ({
  status,
  body: { success: false, message, error },
});
const listed = (data: unknown): SmallAnswer => ({ status: 200, body: { success: true, data } });
const answers = {
  404: failed(404, 'Category not found'),
  '404 without a flag': { status: 404, body: { message: 'Category not found' } },
  410: failed(410, 'Gone'),
  204: { status: 204, body: undefined },
  'an empty body': { status: 200, body: undefined },
  'a failure inside 200': failed(200, 'No results found'),
  400: failed(400, 'No results for this category', 'NO_RESULTS'),
  422: failed(422, 'This category is empty', 'CATEGORY_EMPTY'),
  'no data': listed(null),
  'data without members': listed({}),
  'null for products': listed({ pageInformation: counts, products: null }),
  'an object for products': listed({ pageInformation: counts, products: {} }),
  'an empty list without totals': listed({ products: [] }),
} satisfies Record<string, SmallAnswer>;
const kinds = Object.keys(answers);
const [few, nights] = [['404', '204', 'no data'] as const, ['2026-05-01', '2026-05-02', '2026-05-03'] as const];

const usual: Partial<SmallUpstreamOptions> = { instead: () => null, declared: (_, total) => total };

describe('categories without products', () => {
  const installation = useInstallation();
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: ordinary, pageSize: 24 });
  });
  beforeEach(async () => {
    upstream.change({ shelves: ordinary, ...usual });
    await forgetEverything(installation.db);
  });
  afterAll(() => upstream?.close());

  /** Crawls a night on which the categories of these paths answer with `answer`, or each with its own. */
  async function night(
    date: string,
    shelves: Shelves,
    answer: SmallAnswer | ((path: string) => SmallAnswer),
    isEmpty = isOf('Events'),
  ) {
    const answerOf = typeof answer === 'function' ? answer : () => answer;
    upstream.change({ shelves, instead: ({ path }) => (isEmpty(path) ? answerOf(path) : null) });
    const [run] = await crawlDirectly({
      installation,
      upstream: upstream.url,
      date,
      regions: ['uk'],
      crawler: { despiteDrift: false },
    });
    const [row] = await rowsOf<{ reasons: readonly { code: string; path?: string }[] }>(
      installation.db,
      'select reasons from ops.certificate where run_id = $1',
      [run!.runId],
    );
    const asked = upstream.log.filter((entry) => isEmpty(entry.split(' p')[0]!));
    const most = Math.max(...asked.map((entry) => asked.filter((other) => other === entry).length));
    return {
      status: run!.status,
      verdict: run!.verdict,
      products: run!.productsListed,
      named: (row?.reasons ?? []).map(({ code, path }) => `${code}: ${path}`),
      requests: upstream.log.length,
      most,
    };
  }
  const isOf = (top: string) => (path: string) => path.startsWith(top);

  /** The answer of the department that is named after its kind. */
  const ofKind = (path: string) => answers[path.split(': ')[1]!.split('|')[0] as keyof typeof answers];
  const nameOf = (kind: string) => `Events: ${kind}`;

  test('departments that never had products are named in certified nights, whatever they answer with', async () => {
    const shelves = {
      ...departments(numbered(14)),
      ...Object.fromEntries(kinds.map((kind) => [`${nameOf(kind)}|Shelf`, []])),
    };
    const asked: number[] = [];
    for (const date of nights) {
      const { verdict, products, requests, named, most } = await night(date, shelves, ofKind, isOf('Events: '));
      expect([verdict, products]).toEqual(['complete_within_tolerance', 280]);
      expect(named.sort()).toEqual(kinds.map((kind) => `category_empty: ${nameOf(kind)}`).sort());
      expect(most).toBeLessThanOrEqual(2);
      asked.push(requests);
    }
    // The first night compares departments with their shelves.
    expect(asked).toEqual([80, 40, 40]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('subcategories that never had products keep no night from its certificate', async () => {
    const shelves = { ...ordinary, ...Object.fromEntries(kinds.map((kind) => [`Department 1|None: ${kind}`, []])) };
    for (const date of nights) {
      const { verdict, products, most } = await night(date, shelves, ofKind, isOf('Department 1|None: '));
      expect([verdict, products]).toEqual(['complete', 200]);
      expect(most).toBeLessThanOrEqual(2);
    }
  });

  test('departments that had products keep a night partial, whatever they answer with', async () => {
    const shelves = departments([...numbered(14), ...kinds.map(nameOf)]);
    expect((await night(nights[0], shelves, ofKind, () => false)).verdict).toBe('complete');
    const { status, verdict, named } = await night(nights[1], shelves, ofKind, isOf('Events: '));
    expect([status, verdict]).toEqual(['published', 'partial']);
    for (const kind of kinds) expect(named).toContain(`category_fell: ${nameOf(kind)}`);
  });

  test.each(few)('products whose department answers with %s under its new name keep a night partial', async (kind) => {
    await night(nights[0], ordinary, answers[kind]);
    const { 'Department 3|Shelf': moved, ...others } = ordinary;
    const { verdict } = await night(nights[1], { ...others, 'Events|Shelf': moved! }, answers[kind]);
    expect(verdict).toBe('partial');
  });

  /** Answers in turn. */
  const mixed = (path: string) => answers[few[Number(path.match(/\d/)) % few.length]!];

  test('a first night on which every category answers without products is not certified', async () => {
    const { verdict, named } = await night(nights[0], ordinary, mixed, () => true);
    expect([verdict, named[0]]).toEqual(['partial', 'nothing_listed: undefined']);
  });

  test('no night on which most departments answer without products is certified', async () => {
    const isEmpty = (most: number) => (path: string) => Number(path.match(/\d/)) < most;
    const half = await night(nights[0], ordinary, mixed, isEmpty(5));
    expect([half.verdict, half.products]).toEqual(['complete_within_tolerance', 100]);
    await forgetEverything(installation.db);
    for (const date of nights) {
      const { status, verdict, named } = await night(date, ordinary, mixed, isEmpty(6));
      expect([status, verdict, named[0]]).toEqual(['published', 'partial', 'categories_empty: undefined']);
    }
  });

  test('an endpoint that the gateway does not know makes no department empty', async () => {
    const answer = { status: 404, body: { message: "Endpoint '/category-page' does not exist" } };
    expect((await night(nights[0], { ...ordinary, 'Events|Halloween': [] }, answer)).verdict).toBe('partial');
  });
});
