import { compose } from '../../compose.ts';
import type { RegionCode } from '../../model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readDate, readRegion, wholeNumber } from '../option-values.ts';
import { readBatches } from '../output/read-batches.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';

interface Options extends FormatOptions {
  readonly region?: RegionCode;
  readonly since?: string;
  readonly limit?: number;
}

/** Rows of a table nobody asked to be longer. */
const rowsInTable = 20;

const columns = [
  'region',
  'snapshot_date',
  'product_id',
  'title',
  'old_price',
  'new_price',
  'currency',
  'change_pct',
  'changed_at',
] as const;

export const changes = defineVerb<Options>({
  name: 'changes',
  summary: 'show price changes, newest first',
  declare(command) {
    command
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--since <date>', 'YYYY-MM-DD; from this night on (default: all nights)', readDate)
      .option('--limit <n>', `rows at most (default: ${rowsInTable} in a table, otherwise all)`, wholeNumber(1));
    declareFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { region = null, since = null } = options;
    const format = formatOf(options);
    const limit = options.limit ?? (format === 'table' ? rowsInTable : null);
    return using(compose(config, { clock, log, name: 'changes' }), async ({ db }) => {
      const written = await writeRows(console, format, {
        columns,
        head: { region, since },
        batches: readBatches(
          db,
          `select ${columns.map((name) => (name === 'title' ? 'p.title' : `c.${name}`)).join(', ')}
           from marts.fct_price_change c
           join marts.dim_product p on p.region = c.region and p.product_id = c.product_id
           where ($1::text is null or c.region = $1) and ($2::date is null or c.snapshot_date >= $2)
           order by c.changed_at desc, c.region, c.product_id limit $3`,
          [region, since, limit],
        ),
      });
      if (written === 0) console.say('No price has changed.');
      else if (options.limit === undefined && written === limit) {
        console.say('There may be more: --limit N shows more, --csv and --json show all.');
      }
      return undefined;
    });
  },
});
