import type { Askable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';

/** Promises that must hold in every database at every moment and do not, by name; empty when all hold. */
export async function brokenInvariants(sql: Askable): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, query] of Object.entries(invariants)) {
    const rows = await rowsOf(sql, `select * from (${query}) as broken limit 3`);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return broken;
}

const histories = {
  price_history: { key: 'product_key', values: 'price_minor, unit_price, unit_of_measure' },
  availability_history: { key: 'product_key', values: 'availability' },
  product_promotion: { key: 'product_key, promotion_key', values: null },
  product_category: { key: 'product_key, category_key', values: null },
  product_detail: { key: 'product_key', values: 'detail_hash' },
} as const;

const invariants: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(histories).flatMap(([table, { key, values }]) => [
      [
        `${table} has at most one open row`,
        `select ${key} from catalog.${table} where valid_to is null group by ${key} having count(*) > 1`,
      ],
      [`${table} has no empty spell`, `select ${key} from catalog.${table} where valid_to <= valid_from`],
      [
        `${table} has no overlap`,
        `select * from (select ${key}, valid_to > lead(valid_from) over w as is_bad from catalog.${table}
           window w as (partition by ${key} order by valid_from)) s where is_bad`,
      ],
      [
        `${table} has no two spells in a row that say the same`,
        `select * from (select ${key}, valid_to = lead(valid_from) over w as touch,
           ${values ? `row(${values}) is not distinct from lead(row(${values})) over w` : 'true'} as same from catalog.${table}
           window w as (partition by ${key} order by valid_from)) s where touch and same`,
      ],
      [
        `${table} begins with a run`,
        `select valid_from from catalog.${table} where valid_from not in (select observed_at from ops.run where status = 'published')`,
      ],
    ]),
  ),
  'every product has a price row and an availability': `select product_key from catalog.product p
    where not exists (select from catalog.price_history h where h.product_key = p.product_key and h.valid_to is null)
       or not exists (select from catalog.availability_history h where h.product_key = p.product_key and h.valid_to is null)`,
  'a published certified run has no page undone': `select run_id from ops.run r join ops.category_page using (run_id)
    where r.verdict <> 'partial' group by run_id, category_no, page_no having not bool_or(category_page.status = 'done')`,
  'absence is written by certified runs only': `select r.run_id from catalog.availability_history h join catalog.product p using (product_key)
    join ops.run r on r.region = p.region and r.observed_at = h.valid_from
    where h.availability in ('absent', 'delisted') and r.verdict = 'partial'`,
  'nothing is dated in the future': `select product_key from catalog.price_history where valid_from > (select max(observed_at) from ops.run)`,
};
