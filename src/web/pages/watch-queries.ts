import type { RegionCode } from '../../base/model/index.ts';
import type { WatchRule } from '../../base/model/watch-rule.ts';
import { lastCertified, lastDerived } from '../../questions/certified.ts';
import { lineColumns, type ProductLine, withLine } from '../../questions/product-line.ts';
import { fields } from '../../questions/question.ts';
import { allOf, PageRows, type Sql, sql } from '../../questions/sql.ts';
import type { Query } from '../page.ts';

export interface Rule extends ProductLine {
  readonly list: string;
  readonly watch_id: string;
  readonly rule: WatchRule;
  /** For `below`. */
  readonly amount: string | null;
  /** Whether it came true on the last night. */
  readonly is_news: boolean;
  /** Nights of the last year with a known price. */
  readonly nights: number;
}

export interface List {
  readonly list: string;
  readonly rules: number;
  /** Rules that came true on the last night of their region. */
  readonly came_true: number;
}

export interface CameTrue {
  readonly list: string;
  readonly region: RegionCode;
  readonly snapshot_date: string;
  readonly product_id: string;
  readonly title: string;
  readonly event: string;
  readonly created_at: Date;
  readonly sent_at: Date | null;
}

/** A product to be watched. */
export interface Asked {
  readonly region: RegionCode;
  readonly product_id: string;
  readonly title: string;
  /** What those pay who pay least, now and at the lowest of a year. */
  readonly price: string | null;
  readonly lowest: string | null;
  readonly nights: number;
  readonly currency: string;
}

const rowsOfPage = 100;
const eventsShown = 30;
const daysOfEvents = 30;

/** Rules that came true on the last night of their region. */
const cameTrueLastNight = sql`
            select event.watch_id
            from marts.watch_event event
            join (values ('uk', ${lastDerived('uk')}), ('ie', ${lastDerived('ie')})) as night (region, last)
              on event.region = night.region and event.snapshot_date = night.last`;

const lastYear = (region: RegionCode) =>
  sql`(spell.valid_to is null or spell.valid_to > ${lastCertified(region)} - 365)`;

/** Number of nights of the last year with a known price of the product `key`. */
const nightsKnown = (region: RegionCode, key: Sql) => sql`
        (select coalesce(sum(
          least(spell.valid_to, ${lastCertified(region)} + 1)
          - greatest(spell.valid_from, ${lastCertified(region)} - 364)), 0)::int
         from marts.fct_price_spell spell
         where spell.product_key = ${key} and spell.price is not null and ${lastYear(region)}) as nights`;

/** Rules with what a list shows about their products; those that came true last night come first. */
export function rulesQuery(list: string | undefined, page: number): Query<Rule> {
  const ofRegion = (region: RegionCode) =>
    withLine(
      sql`select chosen.*,${nightsKnown(region, sql`chosen.product_key`)} from chosen where of_region = ${region}`,
      region,
    );
  return {
    caption: 'Watches',
    sql: sql`
      with news as materialized (${cameTrueLastNight}
      ), chosen as materialized (
        select
          w.list, w.watch_id, w.rule, w.amount, w.product_key, w.region as of_region,
          w.watch_id in (select watch_id from news) as is_news,
          row_number() over (
            order by w.watch_id in (select watch_id from news) desc, w.list, w.title, w.watch_id) as line_number
        from marts.watch w
        where ${allOf(list !== undefined && sql`w.list = ${list}`)}
        order by line_number
        limit ${new PageRows(rowsOfPage)} offset ${(page - 1) * rowsOfPage}
      )
      select * from (
      (${ofRegion('uk')})
      union all
      (${ofRegion('ie')})
      ) as watched
      order by line_number`,
    columns: [...lineColumns, { name: 'rule' }, { name: 'amount', as: 'money' }, ...fields('list')],
    none: 'Nothing is watched yet. Find a product and press “Tell me when…”: this page then says when it is due.',
  };
}

export const listsQuery: Query<List> = {
  caption: 'Lists',
  sql: sql`
      select w.list, count(*)::int as rules, count(news.watch_id)::int as came_true
      from marts.watch w
      left join (${cameTrueLastNight}
      ) as news on news.watch_id = w.watch_id
      group by w.list
      order by w.list
      limit 200`,
  columns: [
    { name: 'list', heading: 'List' },
    { name: 'rules', heading: 'Rules', as: 'number' },
    { name: 'came_true', heading: 'Came true last night', as: 'number' },
  ],
  none: 'There are no lists.',
};

export const eventsQuery = (list: string | undefined): Query<CameTrue> => ({
  caption: 'What came true',
  sql: sql`
      select list, region, snapshot_date, product_id, title, event, created_at, sent_at
      from marts.watch_event
      where ${allOf(
        sql`snapshot_date > (select max(snapshot_date) from marts.snapshot) - ${daysOfEvents}::int`,
        list !== undefined && sql`list = ${list}`,
      )}
      order by snapshot_date desc, title, list, watch_id
      limit ${eventsShown}`,
  columns: [
    ...fields('snapshot_date', 'title'),
    { name: 'event', heading: 'What happened', as: 'sentence' },
    ...fields('list'),
    { name: 'sent_at', as: 'instant' },
  ],
  none: 'Nothing came true in the last 30 nights.',
});

export const askedQuery = (region: RegionCode, product: string | undefined): Query<Asked> => ({
  caption: 'The product to watch',
  sql: sql`
      select region, product_id, title, least(price, loyalty_price) as price, currency,
        (select min(least(spell.price, spell.loyalty_price))
         from marts.fct_price_spell spell
         where spell.product_key = now.product_key and ${lastYear(region)}) as lowest,
        ${nightsKnown(region, sql`now.product_key`)}
      from marts.product_now now
      where region = ${region} and product_id = ${product ?? ''}
      limit 1`,
  columns: [
    ...fields('region', 'product_id', 'title', 'price', 'currency'),
    { name: 'lowest', heading: 'Lowest of the last year', as: 'money' },
    { name: 'nights', heading: 'Nights known', as: 'number' },
  ],
  none: 'No product is chosen.',
});
