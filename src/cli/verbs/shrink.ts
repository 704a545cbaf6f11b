import { compose } from '../../compose.ts';
import { type RegionCode, regionCodes } from '../../model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { sayNightsOwed } from '../nights-owed.ts';
import { checkOrder, readDate, readRegion } from '../option-values.ts';
import { readBatches } from '../output/read-batches.ts';
import { declareLimitAndFormats, formatOf, type LimitOptions, limitOf, sayIfCut, writeRows } from '../output/rows.ts';

interface Options extends LimitOptions {
  readonly region?: RegionCode;
  readonly since?: string;
  readonly until?: string;
  readonly smaller?: boolean;
}

const columns = [
  'region',
  'snapshot_date',
  'product_id',
  'title',
  'old_size',
  'new_size',
  'unit',
  'size_change_pct',
  'old_unit_price',
  'new_unit_price',
  'currency',
  'unit_price_effect_pct',
  'route',
  'evidence',
  'score',
  'former_product_id',
  'changed_at',
] as const;

export const shrink = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--since <date>', 'YYYY-MM-DD; from this night on (default: all nights)', readDate)
      .option('--until <date>', 'YYYY-MM-DD; up to this night (default: all nights)', readDate)
      .option('--smaller', 'only packs that shrank (default: those that grew, too)');
    declareLimitAndFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { region = null, since = null, until = null, smaller = false } = options;
    checkOrder(options, 'night');
    return using(compose(config, { clock, log, name: 'shrink' }), async ({ db }) => {
      const written = await writeRows(console, formatOf(options), {
        columns,
        head: { region, since, until, smaller },
        batches: readBatches(
          db,
          `select ${columns.join(', ')} from marts.fct_pack_change
           where ($1::text is null or region = $1) and ($2::date is null or snapshot_date >= $2)
             and ($3::date is null or snapshot_date <= $3) and (not $4 or new_size < old_size)
           order by changed_at desc, region, product_id limit $5`,
          [region, since, until, smaller, limitOf(options)],
        ),
      });
      const isOwed = await sayNightsOwed(db, console, region === null ? regionCodes : [region]);
      if (written === 0 && !isOwed) console.say(noneOf(options));
      else sayIfCut(console, options, written);
    });
  },
});

/** With an option that only some changes pass, there may be others. */
function noneOf({ region, since, until, smaller }: Options): string {
  const isNarrowed = [region, since, until, smaller].some((each) => each !== undefined);
  return `No pack has changed${isNarrowed ? ' there' : ''}, as far as three certified nights in a row tell.`;
}
