import type { CategoryNode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { isLimited, type PagesAllowed, pagesAllowed } from './forecast-run.ts';
import {
  type CategoryPast,
  type DeferredCategory,
  endWaiting,
  lockListed,
  noteSizes,
  readCategoriesPast,
  readWaiting,
  type WaitingCategory,
} from './ledger/category-rotation.ts';
import type { Run } from './ledger/runs.ts';
import { type Frontier, type FrontierLimits, planFrontier } from './plan/frontier.ts';
import { pagesDeclared, planPages, unitsAtATime } from './plan/paging.ts';
import { categoriesInTurn, type TurnRequests } from './plan/rotation.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'settings' | 'pages'>;

interface PlannedTurns {
  /** Categories to read now. */
  readonly frontier: Frontier;
  /** Categories that wait for `takeTurns`. */
  readonly deferred: readonly DeferredCategory[];
}

/**
 * Defers all categories if tonight's requests do not suffice for all pages; then `takeTurns` chooses those to read. A
 * category that needs more than a whole night is replaced by its children. Nothing is deferred if the requests suffice
 * or nothing limits them.
 */
export async function planTurns(
  context: Needs,
  run: Run,
  nodes: readonly CategoryNode[],
  limits: FrontierLimits,
): Promise<PlannedTurns> {
  const whole = { frontier: planFrontier(nodes, limits), deferred: [] };
  if (whole.frontier.walk.length === 0 || !(await isLimited(context))) return whole;
  const night = await pagesAllowed(context, run);
  if (night.allowed === null) return whole;
  const { frontier, known } = await splitTooLarge(context, run, nodes, limits, night);
  const usual = usualPages(known, night.needed / known.length);
  return {
    frontier: { ...frontier, walk: [] },
    deferred: known.map(({ categoryId, pages, lastReadOn }) => ({ categoryId, pages: pages ?? usual, lastReadOn })),
  };
}

/**
 * Spends what is left of the night on deferred categories, whenever no page is left to read: first pages, read
 * meanwhile, have declared sizes. Returns false if nothing is deferred or nothing more fits; then the page phase is
 * over.
 */
export async function takeTurns(context: Needs, run: Run): Promise<boolean> {
  const { db, pages } = context;
  const { runId } = run;
  if (run.repairRounds > 0) return false;
  const waiting = await readWaiting(db, runId);
  if (waiting.length === 0) return false;
  const night = await pagesAllowed(context, run);
  const past = await readPast(context, run, waiting);
  const known = waiting.map((each) => {
    const before = past.get(each.categoryId)!;
    return { ...before, ...readOn(run, each.lastReadOn), ...each, pages: pagesShown(each) ?? before.pages };
  });
  const usual = usualPages(known, night.needed / known.length);
  const eachCosts = night.read > 0 ? Math.max(1, night.sent / night.read) : costOfAPage(known, night.needed);
  const turns = categoriesInTurn(
    known.map((each) => ({
      ...each,
      requests: each.pages === null ? null : notRead(each, each.pages) * eachCosts,
    })),
    requestsOf(night, usual * eachCosts),
  );
  const walk = known.filter(({ categoryId }) => turns.walk.has(categoryId));
  const look = known.filter(({ categoryId }) => turns.look.has(categoryId));
  return db.tx(async (tx) => {
    // Every process reaches this point; only the first one writes the plan.
    if (!(await lockListed(tx, run))) return true;
    await noteSizes(
      tx,
      runId,
      known.map((each) => ({ categoryId: each.categoryId, pages: notRead(each, each.pages ?? usual) })),
    );
    if (walk.length + look.length === 0) return false;
    await endWaiting(tx, runId, walk);
    await pages.planCategories(
      tx,
      runId,
      [...walk, ...look]
        .filter(({ isLookedAt }) => !isLookedAt)
        .map(({ categoryId, categoryNo }) => ({
          categoryId,
          categoryNo,
          rootNo: categoryNo,
          isSample: turns.look.has(categoryId),
        })),
    );
    for (const { categoryNo, declaredTotal, pageSize, itemsReceived } of walk) {
      if (itemsReceived === null) continue;
      const first = { pageNo: 1, pagesPlanned: 1, declaredTotal, pageSize, itemsReceived };
      await pages.extend(tx, runId, categoryNo, planPages(first, unitsAtATime(context.settings.requestsPerSecond)));
    }
    const { region } = run;
    const { allowed, needed } = night;
    context.log.info(
      {
        run: runId,
        region,
        allowed,
        needed,
        asked: walk.length,
        looked: look.length,
        deferred: waiting.length - walk.length,
      },
      'some categories are deferred to another night',
    );
    return true;
  });
}

/** Replaces categories that need more than a whole night by their children, recursively. */
async function splitTooLarge(
  context: Needs,
  run: Run,
  nodes: readonly CategoryNode[],
  limits: FrontierLimits,
  { allowed, needed }: PagesAllowed,
): Promise<{ frontier: Frontier; known: CategoryPast[] }> {
  const perNight = allowed ?? Number.POSITIVE_INFINITY;
  const tooLarge = new Set<string>();
  const parentOf = new Map(nodes.map(({ categoryId, parentId }) => [categoryId, parentId]));
  const lastRead = new Map<string, string | null>();
  for (;;) {
    const frontier = planFrontier(nodes, { ...limits, tooLarge });
    const past = await readPast(context, run, frontier.walk);
    const known = frontier.walk.map(({ categoryId }) => {
      const own = past.get(categoryId)!;
      // Reading a category completely also reads its children.
      const above = lastRead.get(parentOf.get(categoryId) ?? '') ?? null;
      const lastReadOn =
        [own.lastReadOn, above]
          .filter((date) => date !== null)
          .sort()
          .at(-1) ?? null;
      lastRead.set(categoryId, lastReadOn);
      return { ...own, ...readOn(run, lastReadOn) };
    });
    const before = tooLarge.size;
    const eachCosts = costOfAPage(known, needed);
    for (const { categoryId, pages } of known) if ((pages ?? 0) * eachCosts > perNight) tooLarge.add(categoryId);
    if (tooLarge.size === before) return { frontier, known };
  }
}

async function readPast(
  { db }: Needs,
  { region, observedAt, snapshotDate }: Run,
  categories: readonly { readonly categoryId: string }[],
): Promise<ReadonlyMap<string, CategoryPast>> {
  const categoryIds = categories.map(({ categoryId }) => categoryId);
  const past = await readCategoriesPast(db, region, { at: observedAt, on: snapshotDate, categoryIds });
  return new Map(past.map((each) => [each.categoryId, each]));
}

function readOn({ snapshotDate }: Run, lastReadOn: string | null): Pick<CategoryPast, 'lastReadOn' | 'daysUnread'> {
  const days = lastReadOn === null ? null : (Date.parse(snapshotDate) - Date.parse(lastReadOn)) / 86_400_000;
  return { lastReadOn, daysUnread: days };
}

/** Number of pages that tonight's first page declares. */
const pagesShown = ({ declaredTotal, pageSize }: WaitingCategory): number | null =>
  declaredTotal === null ? null : pagesDeclared(declaredTotal, pageSize);

const notRead = ({ itemsReceived }: Pick<WaitingCategory, 'itemsReceived'>, pages: number): number =>
  itemsReceived === null ? pages : Math.max(0, pages - 1);

/** Assumed number of pages of an unknown category. */
function usualPages(known: readonly Pick<CategoryPast, 'pages'>[], assumed: number): number {
  const sizes = sizesOf(known);
  return Math.max(1, Math.round(sizes.length > 0 ? sum(sizes) / sizes.length : assumed));
}

/**
 * Requests per page. Pages are retried and ends are searched for, so it is the total of requests divided by all pages.
 */
function costOfAPage(known: readonly Pick<CategoryPast, 'pages'>[], needed: number): number {
  const sizes = sizesOf(known);
  return sizes.length < known.length ? 1 : Math.max(1, needed / sum(sizes));
}

const sizesOf = (known: readonly Pick<CategoryPast, 'pages'>[]): number[] =>
  known.flatMap(({ pages }) => (pages === null ? [] : [pages]));

function requestsOf({ allowed, most, sent, hasBegun }: PagesAllowed, assumed: number): TurnRequests {
  const perNight = allowed ?? Number.POSITIVE_INFINITY;
  return { perNight, left: perNight - sent, most: most - sent, assumed, hasBegun };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
