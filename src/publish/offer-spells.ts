import type { Queryable } from '../db/client.ts';

/**
 * Recomputes the offers of products and updates `offer_history` and `product_current`, without touching equal rows.
 * Used when the meaning of a published promotion has changed; a night's own changes come from `offer.sql`. `affected`
 * is SQL that returns product_key and `since`: nothing before it changes (`-infinity`: everything may).
 */
export async function renewOffers(sql: Queryable, affected: string): Promise<void> {
  for (const table of ['affected', 'offer_spell', 'offer_to_be'])
    await sql.query(`drop table if exists pg_temp.${table}`);
  await sql.query(`create temporary table affected as ${affected}`);
  await sql.query('analyze affected');
  for (const statement of statements) await sql.query(statement);
  await sql.query('drop table affected, offer_spell, offer_to_be');
}

/** A promotion's dates take effect with the first run at or after them; in between, an offer stays the same. */
const collectSpells = `
  create temporary table offer_spell as
  with said as (
    select region, starts_at as at from catalog.promotion where starts_at is not null
    union
    select region, ends_at from catalog.promotion where ends_at is not null
  ), seen as (
    select said.region, said.at, (
      select min(r.observed_at) from ops.published_run r
      where r.region = said.region and r.observed_at >= said.at) as run_at
    from said
  ), carried as (
    select a.product_key, greatest(pp.valid_from, starts.run_at, a.since) as begins_at,
      least(pp.valid_to, ends.run_at) as ends_at,
      case when o.kind = 'loyalty_price' then o.loyalty_price_minor end as loyalty_price_minor
    from affected a
    join catalog.product_promotion pp using (product_key)
    join catalog.promotion o using (promotion_key)
    left join seen starts on starts.region = o.region and starts.at = o.starts_at
    left join seen ends on ends.region = o.region and ends.at = o.ends_at
    where o.starts_at is null or starts.run_at is not null
  ), counting as (
    select * from carried where ends_at is null or begins_at < ends_at
  ), moment as (
    select product_key, begins_at as at from counting
    union
    select product_key, ends_at from counting where ends_at is not null
  ), segment as (
    select product_key, at, lead(at) over (partition by product_key order by at) as until from moment
  ), offered as (
    select s.product_key, s.at, s.until, min(c.loyalty_price_minor) as loyalty_price_minor
    from segment s
    join counting c on c.product_key = s.product_key and c.begins_at <= s.at and (c.ends_at is null or c.ends_at > s.at)
    group by s.product_key, s.at, s.until
  ), marked as (
    select *,
      case when lag(until) over w = at and lag(loyalty_price_minor) over w is not distinct from loyalty_price_minor
      then 0 else 1 end as is_first
    from offered window w as (partition by product_key order by at)
  ), numbered as (
    select *, sum(is_first) over (partition by product_key order by at) as spell_no from marked
  )
  select product_key, min(loyalty_price_minor) as loyalty_price_minor, min(at) as valid_from,
    case when bool_and(until is not null) then max(until) end as valid_to
  from numbered
  group by product_key, spell_no`;

/** Joins the recomputed spells with those before `since`: a spell cut off at its beginning continues the one before. */
const collectOffers = `
  create temporary table offer_to_be as
  with before as (
    select a.since, h.*, s.product_key is not null as goes_on, s.valid_to as goes_on_to
    from affected a
    join catalog.offer_spell h on h.product_key = a.product_key and h.valid_from < a.since
    left join offer_spell s
      on s.product_key = a.product_key and s.valid_from = a.since and (h.valid_to is null or h.valid_to > a.since)
      and s.loyalty_price_minor is not distinct from h.loyalty_price_minor
  )
  select product_key, loyalty_price_minor, valid_from,
    case when goes_on then goes_on_to else least(valid_to, since) end as valid_to
  from before
  union all
  select product_key, loyalty_price_minor, valid_from, valid_to
  from offer_spell s
  where not exists (
    select from before
    where goes_on and before.product_key = s.product_key and before.since = s.valid_from)`;

const isSame = `h.product_key = o.product_key and h.valid_from = o.valid_from and h.valid_to = o.valid_to
  and h.loyalty_price_minor is not distinct from o.loyalty_price_minor`;

const statements = [
  collectSpells,
  'analyze offer_spell',
  collectOffers,
  'analyze offer_to_be',
  `delete from catalog.offer_history h
   using affected a
   where h.product_key = a.product_key and not exists (select from offer_to_be o where ${isSame})`,
  `insert into catalog.offer_history (product_key, loyalty_price_minor, valid_from, valid_to)
   select o.product_key, o.loyalty_price_minor, o.valid_from, o.valid_to
   from offer_to_be o
   where o.valid_to is not null and not exists (select from catalog.offer_history h where ${isSame})
   order by o.valid_to, o.product_key`,
  `update catalog.product_current c
   set offer_since = o.valid_from, loyalty_price_minor = o.loyalty_price_minor
   from affected a
   left join offer_to_be o on o.product_key = a.product_key and o.valid_to is null
   where c.product_key = a.product_key
     and (c.offer_since, c.loyalty_price_minor) is distinct from (o.valid_from, o.loyalty_price_minor)`,
];
