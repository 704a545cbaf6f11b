import { archiveAsFound, compose } from '../../app/compose.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { type ExtraField, type RegionCode, regionCodes } from '../../base/model/index.ts';
import { rowsOf } from '../../db/rows.ts';
import { takeProfiles } from '../../followers/drift/take-profiles.ts';
import { findUnreadFields, type UnreadField } from '../../followers/drift/unread-fields.ts';
import { fillExtraNight } from '../../followers/extra/fill-night.ts';
import { forgetExtraField } from '../../followers/extra/forget.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { addRegion } from '../option-values.ts';
import { formatTable } from '../output/table.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly region?: readonly RegionCode[];
  readonly fill?: boolean;
  readonly forget?: string;
  readonly sql?: boolean;
  readonly json?: boolean;
}

interface Filled extends Record<string, unknown> {
  readonly region: RegionCode;
  readonly name: string;
  readonly written: string;
  readonly first_night: string;
  readonly last_night: string;
  readonly nights: number;
  readonly unfit: number;
  readonly reason: string | null;
}

export const fields = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie; repeatable (default: both)', addRegion)
      .option('--fill', 'read the fields of EXTRA_FIELDS from all archived nights that lack them')
      .option('--forget <name>', 'delete the values of a field')
      .option('--sql', 'print a query with one column per field of EXTRA_FIELDS')
      .option('--json', 'print JSON');
  },

  async run(options, { config, clock, log, console, signal }) {
    const { region: regions = regionCodes, fill = false, forget, sql = false, json = false } = options;
    const { extraFields } = config;
    if ((fill || sql) && extraFields.length === 0)
      throw new UsageInvalid('EXTRA_FIELDS names no field; `pricebook fields` lists what it can name.');
    if (sql) return void (await console.data(queryOf(extraFields)));
    return using(compose(config, { clock, log, name: 'fields' }), async (base) => {
      const { db } = base;
      const archive = archiveAsFound(base);
      if (forget !== undefined && !(await forgetExtraField(db, forget)))
        throw new UsageInvalid(`No field ${forget} has been read.`);
      if (forget !== undefined && !fill) return console.say(`The values of ${forget} are deleted.`);
      if (fill) {
        let nights = 0;
        for (const region of regions) {
          while (await fillExtraNight({ db, archive }, region, extraFields, signal)) nights += 1;
        }
        console.say(`${count(nights)} ${nights === 1 ? 'night' : 'nights'} read from the archive.`);
      }
      const filled = await rowsOf<Filled>(
        db,
        `select region, name, written, first_night, last_night, nights::int, unfit::int, reason
         from marts.extra_field where region = any($1) order by name, region`,
        [regions],
      );
      const named = new Set(extraFields.flatMap(({ paths }) => paths));
      const unread: UnreadField[] = [];
      for (const region of fill ? [] : regions) {
        await takeProfiles({ db, archive, clock }, region, signal);
        const found = await findUnreadFields({ db, archive }, region);
        unread.push(...found.filter(({ path }) => !named.has(path)));
      }
      if (json) {
        await console.data(`${JSON.stringify({ version: 1, fields: filled, unread: unread.map(asJson) })}\n`);
        return;
      }
      if (unread.length > 0) await console.data(formatUnread(unread));
      if (filled.length > 0) await console.data(`${unread.length > 0 ? '\n' : ''}${formatFilled(filled)}`);
      if (unread.length === 0 && !fill) console.say('No published night has payloads in the archive.');
    });
  },
});

/** Paths are shown in full, because people copy them. */
const formatUnread = (found: readonly UnreadField[]): string =>
  formatTable(
    ['endpoint', 'path', 'products', 'example', 'since'],
    found.map(({ endpoint, path, share, example, since, isOlder }) => [
      endpoint,
      path,
      `${(100 * share).toFixed(0)} %`,
      example,
      `${since ?? ''}${isOlder ? ' or earlier' : ''}`,
    ]),
    120,
  );

const asJson = ({ region, endpoint, path, share, example, since, isOlder }: UnreadField) => ({
  region,
  endpoint,
  path,
  products_share: share,
  example,
  since,
  or_earlier: isOlder,
});

const formatFilled = (rows: readonly Filled[]): string =>
  formatTable(
    ['field of EXTRA_FIELDS', 'region', 'nights', 'first', 'last', 'unfit', 'reason'],
    rows.map((row) => [row.written, row.region, row.nights, row.first_night, row.last_night, row.unfit, row.reason]),
    80,
  );

function queryOf(extraFields: readonly ExtraField[]): string {
  const columns = extraFields.map(({ name, type }) => {
    const cast = type === 'text' ? '' : `::${type === 'number' ? 'numeric' : type}`;
    return `  (max(value) filter (where name = '${name}'))${cast} as "${name}"`;
  });
  return (
    `select region, product_id, product_key,\n${columns.join(',\n')}\nfrom marts.dim_product_extra\n` +
    'where valid_to is null\ngroup by region, product_id, product_key;\n'
  );
}
