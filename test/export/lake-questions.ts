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
  ofMart('fct_region_daily', `region, snapshot_date, ${figures}`),
  ofMart('fct_category_daily', `region, snapshot_date, depth, path, ${figures}`),
];

export async function rowsOfMart(db: Database, { sql }: MartQuestion): Promise<MartRow[]> {
  const { rows } = await db.query<{ row: MartRow }>(`select to_jsonb(row) as row from (${sql}) as row`);
  return rows.map(({ row }) => row);
}

/** The first rows that differ. */
export function differences(found: readonly MartRow[], expected: readonly MartRow[]): string[] {
  const [one, other] = [found.map(textOf).sort(), expected.map(textOf).sort()];
  const counts = one.length === other.length ? [] : [`${one.length} instead of ${other.length} rows`];
  return [...counts, ...one.filter((text, n) => text !== other[n]).slice(0, 5)];
}

/** Clients return numbers as numbers or as text. */
function textOf(row: MartRow): string {
  const named = Object.entries(row).map(([name, value]) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
    return [name, isNumber ? Number(value) : String(value)] as const;
  });
  return JSON.stringify(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}
