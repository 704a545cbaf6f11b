import type { Database } from '../../src/db/client.ts';

export type MartRow = Readonly<Record<string, unknown>>;

export interface MartQuestion {
  readonly name: string;
  /** For the marts and for the views over a lake alike. */
  readonly sql: string;
}

const ofMart = (name: string, columns: string, where = ''): MartQuestion => ({
  name,
  sql: `select ${columns} from marts.${name} ${where}`,
});

const figures = `products_listed, products_available, products_on_promotion, products_with_loyalty_price, average_price,
  median_price, average_loyalty_discount_pct, arrivals, departures, price_increases, price_decreases, currency`;
const night = `region, snapshot_date, product_id, product_key, title, price, currency, unit_price, unit_of_measure,
  loyalty_price, availability, on_promotion, brand`;

/** Every column that the marts and the views share. */
export const martQuestions: readonly MartQuestion[] = [
  ofMart('fct_price_daily', night),
  ofMart(
    'fct_price_change',
    'region, product_id, product_key, snapshot_date, old_price, new_price, currency, change_pct',
  ),
  ofMart(
    'price_move',
    `region, since, until, product_id, product_key, title, brand, old_price, new_price, change, change_pct,
     old_unit_price, new_unit_price, unit_of_measure, currency`,
    `where region = 'uk' and since = date '2026-01-25' and until = date '2026-02-20'`,
  ),
  ofMart('fct_region_daily', `region, snapshot_date, ${figures}`),
  ofMart('fct_category_daily', `region, snapshot_date, depth, path, ${figures}`),
  ofMart(
    'fct_promotion_calendar',
    `region, week_starts_on, depth, path, nights, product_nights, promoted_product_nights, share_on_promotion_pct,
     share_with_loyalty_price_pct, average_loyalty_discount_pct`,
  ),
  ofMart(
    'price_index',
    `region, category_path, period, period_start, method, price_basis, base_start, value, matched_products, outliers,
     arrivals, departures, nights, is_complete, is_base_complete, is_final, matched_share, is_thin`,
    `where price_basis in ('shelf', 'member')`,
  ),
];

export async function rowsOfMart(db: Database, { sql }: MartQuestion): Promise<MartRow[]> {
  const { rows } = await db.query<{ row: MartRow }>(`select to_jsonb(row) as row from (${sql}) as row`);
  return rows.map(({ row }) => row);
}

/** The first rows that differ; index values may differ by 1e-9. */
export function differences(found: readonly MartRow[], expected: readonly MartRow[]): string[] {
  const [one, other] = [asTexts(found), asTexts(expected)];
  const differing = one.filter(
    ({ text, value }, n) =>
      text !== other[n]?.text || !(value === other[n].value || Math.abs(value / other[n].value - 1) < 1e-9),
  );
  const counts = one.length === other.length ? [] : [`${one.length} instead of ${other.length} rows`];
  return [...counts, ...differing.slice(0, 5).map(({ text, value }) => `${text} ${value}`)];
}

/** Rows in an order of their own, without the index value. */
function asTexts(rows: readonly MartRow[]) {
  return rows
    .map(({ value = 0, ...row }) => ({ text: textOf(row), value: Number(value) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** Clients return numbers as numbers or as text. */
function textOf(row: MartRow): string {
  const named = Object.entries(row).map(([name, value]) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
    return [name, isNumber ? Number(value) : String(value)] as const;
  });
  return JSON.stringify(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}
