import { ConfigInvalid, PayloadLost } from '../../base/errors.ts';
import { type ExtraField, type RegionCode, writtenField } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { readEnvelope } from '../../gateway/envelope.ts';
import { endpointsOf } from '../../source/endpoints/index.ts';
import { productsIn } from '../../source/endpoints/products-in.ts';
import { readValue } from './read-value.ts';

interface Needs {
  readonly db: Pick<Database, 'tx'>;
  readonly archive: Pick<Archive, 'getAll'>;
}

type Fields = readonly ExtraField[];

const payloadsAtOnce = 50;

/** Whether a night in the archive was not read for a field, or a field changed. Without fields no statement is sent. */
export async function isExtraNightOwed(sql: Queryable, region: RegionCode, fields: Fields): Promise<boolean> {
  if (fields.length === 0) return false;
  return (await changedFields(sql, fields)).length > 0 || (await nextNight(sql, region, fields)) !== null;
}

/**
 * Reads the earliest night owed from the archive, for the fields that lack it, in one transaction. Their values of
 * later nights are read again. Throws `ConfigInvalid` for a field whose values were read in another way. Returns the
 * number of nights.
 */
export async function fillExtraNight(
  { db, archive }: Needs,
  region: RegionCode,
  all: Fields,
  signal?: AbortSignal,
): Promise<number> {
  if (all.length === 0) return 0;
  return db.tx(async (tx) => {
    // Locked before reading, so that another process that fills the same night has nothing to do.
    await tx.query('lock table derived.extra_night in share row exclusive mode');
    refuseChanged(await changedFields(tx, all));
    const night = await nextNight(tx, region, all);
    if (night === null) return 0;
    const fields = all.filter(({ name }) => night.names.includes(name));
    await tx.query(noteFields, [
      fields.map(({ name }) => name),
      fields.map(({ type }) => type),
      fields.map(writtenField),
    ]);
    for (const statement of rewind) await tx.query(statement, [region, night.date, night.names]);
    await tx.query(createRead);
    await readPayloads({ tx, archive }, region, night.runId, fields, signal);
    await tx.query(createTonight, [region, night.observedAt]);
    await tx.query('analyze extra_tonight');
    await tx.query(endSpells, [night.date]);
    await tx.query(beginSpells, [night.date]);
    await tx.query(noteNight, [region, night.date, night.runId, night.names]);
    return 1;
  });
}

/** Reads every product of a run's pages and details into `extra_read`, in the order of receipt. */
async function readPayloads(
  { tx, archive }: Pick<Needs, 'archive'> & { readonly tx: Transaction },
  region: RegionCode,
  runId: number,
  fields: Fields,
  signal?: AbortSignal,
): Promise<void> {
  const { categoryPage, productDetails } = endpointsOf[region];
  const payloads = await rowsOf<{ sha256: string }>(tx, selectPayloads, [
    runId,
    [categoryPage.name, productDetails.name],
  ]);
  for (let at = 0; at < payloads.length; at += payloadsAtOnce) {
    signal?.throwIfAborted();
    const bodies = await archive.getAll(payloads.slice(at, at + payloadsAtOnce).map(({ sha256 }) => sha256));
    const rows: [string[], string[], (string | null)[], (string | null)[]] = [[], [], [], []];
    for (const bytes of bodies) {
      if (bytes instanceof PayloadLost) continue;
      for (const product of productsIn(readEnvelope(bytes, {}).body)) {
        for (const field of fields) {
          const read = readValue(product.fields, field);
          if (read === undefined) continue;
          const row = [product.productId, field.name, read.value, read.reason] as const;
          for (const [i, column] of rows.entries()) (column as (string | null)[]).push(row[i]!);
        }
      }
    }
    await tx.query(insertRead, rows);
  }
}

function refuseChanged(changed: readonly { readonly name: string; readonly written: string }[]): void {
  if (changed.length === 0) return;
  throw new ConfigInvalid(
    changed.map(
      ({ name, written }) =>
        `EXTRA_FIELDS: the values of ${name} were read as ${written}. Give the new reading another name, or delete ` +
        `the values with \`pricebook fields --forget ${name}\`; the archive then fills it again`,
    ),
  );
}

function changedFields(sql: Queryable, fields: Fields): Promise<{ name: string; written: string }[]> {
  return rowsOf(
    sql,
    `select known.name, known.written
     from derived.extra_field known
     join unnest($1::text[], $2::text[]) as given (name, written) on given.name = known.name
     where given.written <> known.written
     order by known.name`,
    [fields.map(({ name }) => name), fields.map(writtenField)],
  );
}

interface Night {
  readonly runId: number;
  readonly date: string;
  readonly observedAt: Date;
  readonly names: readonly string[];
}

async function nextNight(sql: Queryable, region: RegionCode, fields: Fields): Promise<Night | null> {
  const [night] = await rowsOf<Night & Record<string, unknown>>(sql, selectNext, [
    region,
    fields.map(({ name }) => name),
  ]);
  return night ?? null;
}

const selectNext = `
  select night.run_id as "runId", night.snapshot_date as date, night.observed_at as "observedAt", owed.names
  from (
    select distinct on (snapshot_date) snapshot_date, run_id, observed_at
    from ops.published_run
    where region = $1
    order by snapshot_date, run_id desc
  ) as night
  cross join lateral (
    select array_agg(field.name) as names
    from unnest($2::text[]) as field (name)
    where not exists (
      select from derived.extra_night done
      where done.region = $1 and done.snapshot_date = night.snapshot_date and done.name = field.name
        and done.run_id = night.run_id)
  ) as owed
  where owed.names is not null and exists (select from ops.payload p where p.run_id = night.run_id)
  order by night.snapshot_date
  limit 1`;

const noteFields = `
  insert into derived.extra_field (name, type, written)
  select * from unnest($1::text[], $2::text[], $3::text[])
  on conflict (name) do nothing`;

const isLater = `exists (
    select from derived.extra_night done
    where done.region = $1 and done.snapshot_date >= $2 and done.name = any($3))`;
const ofRegion = `product.product_key = v.product_key and product.region = $1 and v.name = any($3)`;

/** Values before a night; the nights from it on are read again. */
const rewind = [
  `delete from derived.extra_value v using catalog.product where ${ofRegion} and v.valid_from >= $2 and ${isLater}`,
  `update derived.extra_value v set valid_to = null
   from catalog.product where ${ofRegion} and v.valid_to >= $2 and ${isLater}`,
  'delete from derived.extra_night where region = $1 and snapshot_date >= $2 and name = any($3)',
];

const createRead = `
  create temporary table extra_read (
    place int generated always as identity, product_id text, name text, value text, reason text) on commit drop`;

const selectPayloads = `
  select encode(sha256, 'hex') as sha256
  from ops.payload
  where run_id = $1 and endpoint = any($2) and status = 200
  order by payload_id`;

const insertRead = `
  insert into extra_read (product_id, name, value, reason)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`;

/** The value received last counts. */
const createTonight = `
  create temporary table extra_tonight on commit drop as
  select distinct on (product.product_key, read.name) product.product_key, read.name, read.value, read.reason
  from extra_read read
  join catalog.product on product.region = $1 and product.product_id = read.product_id
    and product.first_seen_at <= $2 and coalesce(product.replaced_at, 'infinity') > $2
  order by product.product_key, read.name, read.place desc`;

const endSpells = `
  update derived.extra_value v set valid_to = $1
  from extra_tonight tonight
  where v.product_key = tonight.product_key and v.name = tonight.name and v.valid_to is null
    and v.value is distinct from tonight.value`;

const beginSpells = `
  insert into derived.extra_value (product_key, name, valid_from, value)
  select tonight.product_key, tonight.name, $1, tonight.value
  from extra_tonight tonight
  where tonight.value is not null and not exists (
    select from derived.extra_value v
    where v.product_key = tonight.product_key and v.name = tonight.name and v.valid_to is null)`;

const noteNight = `
  insert into derived.extra_night (region, snapshot_date, run_id, name, unfit, reason)
  select $1, $2, $3, field.name, count(tonight.reason), mode() within group (order by tonight.reason)
  from unnest($4::text[]) as field (name)
  left join extra_tonight tonight on tonight.name = field.name
  group by field.name`;
