import { type DeferredCategory, readCategoriesPast } from '../ledger/category-rotation.ts';
import type { Run } from '../ledger/runs.ts';
import type { CategoryNode } from '../model/index.ts';
import type { Frontier } from '../plan/frontier.ts';
import { categoriesInTurn } from '../plan/rotation.ts';
import type { CrawlContext } from './context.ts';
import { planPages } from './forecast-run.ts';

/**
 * The categories of a run's frontier that wait for another night, because tonight's requests do not reach for all pages:
 * the others have their turn. None as long as they reach, or as nothing limits them.
 */
export async function deferCategories(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'settings'>,
  run: Run,
  walk: readonly CategoryNode[],
): Promise<DeferredCategory[]> {
  const { allowed, needed } = await planPages(context, run.region);
  if (allowed === null || walk.length === 0) return [];
  const known = await readCategoriesPast(context.db, run.region, {
    at: run.observedAt,
    on: run.snapshotDate,
    categoryIds: walk.map(({ categoryId }) => categoryId),
  });
  const sizes = known.flatMap(({ pages }) => (pages === null ? [] : [pages]));
  const usual = sizes.length > 0 ? sum(sizes) / sizes.length : needed / walk.length;
  // Pages are asked again, and ends looked for: what a page costs is what all cost by all pages.
  const eachCosts = Math.max(1, needed / (sum(sizes) + usual * (known.length - sizes.length)));
  const inTurn = categoriesInTurn(
    known.map((each) => ({ ...each, requests: each.pages === null ? null : each.pages * eachCosts })),
    allowed,
    usual * eachCosts,
  );
  const deferred = known.filter(({ categoryId }) => !inTurn.has(categoryId));
  if (deferred.length === 0) return [];
  const { runId, region } = run;
  context.log.info(
    { run: runId, region, allowed, needed, asked: inTurn.size, deferred: deferred.length },
    'categories take turns',
  );
  return deferred.map(({ categoryId, pages, lastReadOn }) => ({
    categoryId,
    pages: pages ?? Math.max(1, Math.round(usual)),
    lastReadOn,
  }));
}

/** What is left of a frontier tonight. */
export function withoutDeferred({ walk, uncovered }: Frontier, deferred: readonly DeferredCategory[]): Frontier {
  const waiting = new Set(deferred.map(({ categoryId }) => categoryId));
  return {
    walk: walk.filter(({ categoryId }) => !waiting.has(categoryId)),
    uncovered,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
