import type { Config } from '../config.ts';
import { commandHint } from './hint.ts';

interface Found {
  readonly config: Pick<Config, 'settings'>;
  readonly dashboardUrl: string;
  readonly snapshotDate: string | null;
}

/** What a person may do next, once the first nights are in. */
export function whatToLookAt({ config, dashboardUrl, snapshotDate }: Found): string {
  const pricebook = commandHint(config);
  const date = snapshotDate ?? 'YYYY-MM-DD';
  return `
What to look at, in another terminal while this runs:

  Dashboard   ${dashboardUrl}
  A night     ${pricebook} asof --region uk --date ${date} --limit 10
  Changes     ${pricebook} changes --region uk
  Status    ${pricebook} status
  SQL         psql "$(${pricebook} config --database-url)"

    -- the dearest loyalty savings of the night
    select title, price, loyalty_price, currency
    from marts.as_of('uk', '${date}')
    where loyalty_price < price order by price - loyalty_price desc limit 10;

    -- what a night is worth: its certificate
    select region, snapshot_date, certificate, products_listed, requests_spent from marts.snapshot;

Every night at 02:00 local time both regions are crawled again. Ctrl-C ends it.
`.trimStart();
}
