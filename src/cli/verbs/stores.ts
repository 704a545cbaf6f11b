import { InvalidArgumentError } from 'commander';
import { compose, composeCrawler } from '../../compose.ts';
import { openStoreRefresh } from '../../crawl/open-store-refresh.ts';
import { refreshStores } from '../../crawl/refresh-stores.ts';
import { ConfigInvalid, RunRefused, UsageInvalid } from '../../errors.ts';
import { using } from '../closing.ts';
import { defineVerb, type Invocation } from '../define-verb.ts';
import { readNumber } from '../option-values.ts';
import { readBatches } from '../output/read-batches.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';
import { partialExitCode } from './crawl.ts';

interface Options extends FormatOptions {
  readonly refresh?: boolean;
  readonly near?: Point;
  readonly within?: number;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Miles around `--near` where nothing else is asked. */
const usualMiles = 10;

const columns = [
  'store_id',
  'display_name',
  'store_type',
  'miles',
  'address1',
  'city',
  'postal_code',
  'country',
  'latitude',
  'longitude',
  'phone',
  'email',
  'time_zone',
  'is_curbside_enabled',
  'curbside_hours',
  'closed_days',
  'current_since',
] as const;

export const stores = defineVerb<Options>({
  declare(command) {
    command
      .option('--refresh', 'walk over STORE_AREAS with the store locator first')
      .option('--near <lat,lon>', 'a place in degrees, such as 51.5,-0.12: nearest stores first', readPoint)
      .option('--within <miles>', `as the crow flies from there (default: ${usualMiles})`, readNumber);
    declareFormats(command);
  },

  async run(options, invocation) {
    const { refresh = false, near } = options;
    if (options.within !== undefined && !near) throw new UsageInvalid('--within is a distance from --near LAT,LON.');
    const partial = refresh ? await refreshNow(invocation) : undefined;
    // Who refreshes reads what changed; who asks for data is given it.
    if (refresh && !near && formatOf(options) === 'table') return partial;
    await list(options, invocation);
    return partial;
  },
});

async function list({ near, within = usualMiles, ...options }: Options, { config, clock, log, console }: Invocation) {
  const format = formatOf(options);
  await using(compose(config, { clock, log, name: 'stores' }), async ({ db }) => {
    const written = await writeRows(console, format, {
      columns,
      head: { near: near ?? null, within_miles: near ? within : null },
      table: {
        store_id: (row) => row['store_id'],
        name: (row) => row['display_name'],
        type: (row) => row['store_type'],
        ...(near ? { miles: (row) => row['miles'] } : {}),
        city: (row) => row['city'],
        postal_code: (row) => row['postal_code'],
        country: (row) => row['country'],
      },
      batches: readBatches(db, storesNear, [near?.latitude ?? null, near?.longitude ?? null, near ? within : null]),
    });
    if (written > 0) return;
    const { rows } = await db.query('select 1 from marts.store_refresh limit 1');
    if (rows.length === 0) console.say('No stores are known yet: `pricebook stores --refresh` asks the store locator.');
    else
      console.say(
        near
          ? `No store is known within ${within} miles of there.`
          : 'The store locator shows no stores in STORE_AREAS.',
      );
  });
}

/** Great-circle distance on a globe of 3,958.8 miles, unknown where a place is. PostgreSQL's `least` would make the farthest of that. */
const storesNear = `
  with measured as (
    select s.*, round((2 * 3958.8 * asin(sqrt(case when haversine > 1 then 1 else haversine end)))::numeric, 2) as miles
    from marts.dim_store s
    cross join lateral (
      select power(sin(radians(s.latitude - $1::float8) / 2), 2)
        + cos(radians($1::float8)) * cos(radians(s.latitude)) * power(sin(radians(s.longitude - $2::float8) / 2), 2) as haversine
    ) as angle
    where s.gone_at is null
  )
  select store_id, display_name, store_type, miles::text as miles, address1, city, postal_code, country, latitude, longitude, phone, email, time_zone,
    is_curbside_enabled, curbside_hours, closed_days, to_char(current_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as current_since
  from measured
  where $3::float8 is null or miles <= $3::float8
  order by measured.miles nulls last, store_id`;

/** Walks over the areas in the foreground. Returns the exit code where something is missing. */
function refreshNow({ config, clock, log, console, signal }: Invocation): Promise<number | undefined> {
  return using(compose(config, { clock, log, name: 'stores' }), (base) =>
    using(composeCrawler(base, { jobs: [] }), async ({ context }) => {
      if (!context.storeLocator.isConfigured) {
        throw new ConfigInvalid(['STORES_BASE_URL is not set: there is no store locator to ask']);
      }
      const opened = await openStoreRefresh(context, 'command');
      if (!opened) throw new RunRefused('Another process refreshes the stores at this moment.');
      const { refreshId } = opened;
      await context.stores.pause(refreshId, null, null);
      const pauses: Error[] = [];
      await refreshStores(context, refreshId, signal, { onPause: (why) => pauses.push(why) });
      signal.throwIfAborted();
      const [why] = pauses;
      if (why) throw why;
      return report(await context.stores.byId(refreshId), console);
    }),
  );
}

type Refresh = Awaited<ReturnType<Awaited<ReturnType<typeof composeCrawler>>['context']['stores']['byId']>>;

function report(refresh: Refresh, console: Invocation['console']): number | undefined {
  if (refresh?.status !== 'published')
    throw new RunRefused(
      `The refresh of the stores waits: ${refresh?.pausedFor ?? 'another process goes on with it'}.`,
    );
  const { storesSeen, circles, storesNew, storesChanged, storesGone, verdict, reasons } = refresh;
  console.say(
    `${storesSeen} stores in ${circles} answers: ${storesNew} new, ${storesChanged} changed, ${storesGone} gone; ${verdict}.`,
  );
  for (const reason of reasons) console.say(`  ${reason}`);
  return verdict === 'partial' ? partialExitCode : undefined;
}

function readPoint(text: string): Point {
  const [latitude = Number.NaN, longitude = Number.NaN, ...more] = text
    .split(',')
    .map((degrees) => (degrees.trim() === '' ? Number.NaN : Number(degrees)));
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) || more.length > 0) {
    throw new InvalidArgumentError('It must be a latitude and a longitude in degrees, such as 51.5,-0.12.');
  }
  return { latitude, longitude };
}
