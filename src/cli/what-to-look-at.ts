import type { Base } from '../app/compose.ts';
import type { Config } from '../app/config.ts';
import { rowsOf } from '../db/rows.ts';
import { commandHint } from './hint.ts';

/** What the book has that is worth a look. */
export interface Found {
  /** The last night of the region that has one. */
  readonly region: string;
  readonly snapshotDate: string;
  /** A product whose price has changed, any; null: none has yet. */
  readonly productId: string | null;
}

/** Null: nothing is published yet. */
export async function readFound({ db }: Pick<Base, 'db'>): Promise<Found | null> {
  const [found] = await rowsOf<Found>(
    db,
    `select s.region, s.snapshot_date as "snapshotDate", change.product_id as "productId"
     from marts.snapshot s
     left join lateral (select c.product_id from marts.fct_price_change c where c.region = s.region limit 1) change on true
     order by s.region = 'uk' desc, s.snapshot_date desc limit 1`,
  );
  return found ?? null;
}

interface Place {
  readonly config: Pick<Config, 'settings'>;
  readonly explorerUrl: string;
  readonly found: Found | null;
}

/** What a person may do next, once there is a night: only what shows something on this book. */
export function whatToLookAt({ config, explorerUrl, found }: Place): string {
  const pricebook = commandHint(config);
  const commands = [
    ['Explorer', explorerUrl],
    ...(found ? [['A night', `${pricebook} asof --region ${found.region} --limit 10`]] : []),
    ...(found?.productId ? [['Changes', `${pricebook} changes --region ${found.region} --limit 10`]] : []),
    ...(found?.productId ? [['A product', `${pricebook} product ${found.region} ${found.productId}`]] : []),
    ...(found?.productId ? [['An index', `${pricebook} index --region ${found.region}`]] : []),
    ['Status', `${pricebook} status`],
    ['SQL', `psql "$(${pricebook} config --database-url)"`],
  ];
  return `
What to look at, in another terminal while this runs:

${commands.map(([name, command]) => `  ${name!.padEnd(11)} ${command}`).join('\n')}
${found ? statements(found) : ''}
Every night at 02:00 local time both regions are crawled again. Ctrl-C ends it.
`.trimStart();
}

function statements({ region, snapshotDate, productId }: Found): string {
  const history = `
    -- what a product cost, night by night
    select snapshot_date, price, loyalty_price, on_promotion, availability
    from marts.fct_price_daily
    where region = '${region}' and product_id = '${productId}' order by snapshot_date;
`;
  return `
    -- the dearest loyalty savings of the night
    select title, price, loyalty_price, currency
    from marts.as_of('${region}', '${snapshotDate}')
    where loyalty_price < price order by price - loyalty_price desc limit 10;
${productId === null ? '' : history}
    -- what a night is worth: its certificate
    select region, snapshot_date, certificate, products_listed, requests_spent
    from marts.snapshot order by snapshot_date desc, region;
`;
}
