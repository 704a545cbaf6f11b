import type { CategoryNode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

interface StagedCategory extends CategoryNode {
  /** Rank of the category id in byte order. It is stable between nights, so that the same listing of a product wins. */
  readonly categoryNo: number;
}

/**
 * Stages the taxonomy of a run, replacing an earlier one. Returns the nodes ordered by category id. Categories that the
 * run has crawled keep their numbers, so that a replay may find further ones.
 */
export async function stageTaxonomy(
  sql: Queryable,
  runId: number,
  nodes: readonly CategoryNode[],
): Promise<StagedCategory[]> {
  const crawled = await numbersIn(sql, 'ops.category_crawl', runId);
  const ranked = rank(nodes, crawled);
  const noOf = new Map(ranked.map((node) => [node.categoryId, node.categoryNo]));
  const byId = new Map(nodes.map((node) => [node.categoryId, node]));
  await sql.query('delete from stage.category where run_id = $1', [runId]);
  await sql.query(
    `insert into stage.category (run_id, category_no, category_id, parent_no, name, label, depth, path)
     select $1, c.*
     from unnest($2::int[], $3::text[], $4::int[], $5::text[], $6::text[], $7::smallint[], $8::text[]) as c`,
    [
      runId,
      ranked.map((c) => c.categoryNo),
      ranked.map((c) => c.categoryId),
      ranked.map((c) => (c.parentId === null ? null : (noOf.get(c.parentId) ?? null))),
      ranked.map((c) => c.name),
      ranked.map((c) => c.label),
      ranked.map((c) => c.depth),
      ranked.map((c) => pathOf(c, byId)),
    ],
  );
  return ranked;
}

/** Ranks of a run's staged categories by category id. */
export const readCategoryNos = (sql: Queryable, runId: number): Promise<Map<string, number>> =>
  numbersIn(sql, 'stage.category', runId);

async function numbersIn(
  sql: Queryable,
  table: 'ops.category_crawl' | 'stage.category',
  runId: number,
): Promise<Map<string, number>> {
  const rows = await rowsOf<{ category_id: string; category_no: number }>(
    sql,
    `select category_id, category_no from ${table} where run_id = $1`,
    [runId],
  );
  return new Map(rows.map((row) => [row.category_id, row.category_no]));
}

/** Added to the rank of a category whose number another one has. */
const behindAll = 1_000_000;

function rank(nodes: readonly CategoryNode[], crawled: ReadonlyMap<string, number>): StagedCategory[] {
  const taken = new Set(crawled.values());
  const sorted = [...nodes].sort((a, b) => (a.categoryId < b.categoryId ? -1 : a.categoryId > b.categoryId ? 1 : 0));
  return sorted.map((node, i) => {
    const own = i + 1;
    return { ...node, categoryNo: crawled.get(node.categoryId) ?? (taken.has(own) ? behindAll + own : own) };
  });
}

function pathOf(node: CategoryNode, byId: ReadonlyMap<string, CategoryNode>): string {
  const names: string[] = [];
  for (
    let at: CategoryNode | undefined = node;
    at && names.length < 16;
    at = at.parentId === null ? undefined : byId.get(at.parentId)
  ) {
    names.unshift(at.name.trim());
  }
  return names.join(' > ');
}
