import type { Database } from '../../src/db/client.ts';
import { renewCategoryAncestors } from './category-ancestors.ts';

/** What publication derives from the rows of a book, for a book whose rows were inserted by hand. */
export async function derive(db: Database): Promise<void> {
  await db.tx(async (tx) => {
    await renewCategoryAncestors(tx);
    for (const statement of [clear, collectOffers, insertEnded, setOpen]) await tx.query(statement);
  });
}

const clear = `
  delete from catalog.offer_history;
  update catalog.product_current set offer_since = null, loyalty_price_minor = null where offer_since is not null`;

/** A promotion's dates take effect with the first run at or after them; in between, an offer stays the same. */
const collectOffers = `
  create temporary table offer_to_be on commit drop as
  with said as (
    select region, starts_at as at from catalog.promotion where starts_at is not null
    union
    select region, ends_at from catalog.promotion where ends_at is not null
  ), seen as (
    select said.region, said.at, (
      select min(r.observed_at) from ops.published_run r
      where r.region = said.region and r.observed_at >= said.at) as run_at
    from said
  ), counting as (
    select * from (
      select carried.product_key, greatest(carried.valid_from, starts.run_at) as begins_at,
        least(carried.valid_to, ends.run_at) as ends_at,
        case when o.kind = 'loyalty_price' then o.loyalty_price_minor end as loyalty_price_minor
      from catalog.product_promotion carried
      join catalog.promotion o using (promotion_key)
      left join seen starts on starts.region = o.region and starts.at = o.starts_at
      left join seen ends on ends.region = o.region and ends.at = o.ends_at
      where o.starts_at is null or starts.run_at is not null
    ) as carried
    where ends_at is null or begins_at < ends_at
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
  ), numbered as (
    select *, sum(is_first) over (partition by product_key order by at) as spell_no
    from (
      select *,
        case when lag(until) over w = at and lag(loyalty_price_minor) over w is not distinct from loyalty_price_minor
        then 0 else 1 end as is_first
      from offered window w as (partition by product_key order by at)
    ) as marked
  )
  select product_key, min(loyalty_price_minor) as loyalty_price_minor, min(at) as valid_from,
    case when bool_and(until is not null) then max(until) end as valid_to
  from numbered
  group by product_key, spell_no`;

const insertEnded = `
  insert into catalog.offer_history (product_key, loyalty_price_minor, valid_from, valid_to)
  select product_key, loyalty_price_minor, valid_from, valid_to from offer_to_be where valid_to is not null`;

const setOpen = `
  update catalog.product_current c set offer_since = o.valid_from, loyalty_price_minor = o.loyalty_price_minor
  from offer_to_be o where o.valid_to is null and o.product_key = c.product_key`;
