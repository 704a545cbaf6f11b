import type { Base } from '../app/compose.ts';
import type { Config } from '../app/config.ts';
import { rowsOf } from '../db/rows.ts';
import { commandHint } from './hint.ts';

/** Data that the start-up hints refer to. */
export interface Found {
  /** Last night; of the United Kingdom if it has one. */
  readonly region: string;
  readonly snapshotDate: string;
  /** Any product with a price change; null: none yet. */
  readonly productId: string | null;
}

/** Null: no night is published yet. */
export async function readFound({ db }: Pick<Base, 'db'>): Promise<Found | null> {
  const [found] = await rowsOf<Found>(
    db,
    `select s.region, s.snapshot_date as "snapshotDate", change.product_id as "productId"
     from marts.snapshot s
     left join lateral (
       select c.product_id from marts.fct_price_change c where c.region = s.region limit 1
     ) change on true
     order by s.region = 'uk' desc, s.snapshot_date desc limit 1`,
  );
  return found ?? null;
}

interface Place {
  readonly config: Pick<Config, 'settings'>;
  readonly explorerUrl: string;
  readonly found: Found | null;
}

/** Start-up hints; only commands that return rows in this database. */
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
Next steps, in another terminal while this runs:

${commands.map(([name, command]) => `  ${name!.padEnd(11)} ${command}`).join('\n')}

Both regions are crawled again every night at 02:00 local time. Ctrl-C ends it.
`.trimStart();
}
