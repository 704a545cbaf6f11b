import type { JSX } from 'preact';
import { type RegionCode, regions } from '../../base/model/index.ts';
import type { WatchRule } from '../../base/model/watch-rule.ts';
import { lastCertified } from '../../questions/certified.ts';
import { RegionParameter, textUpTo } from '../../questions/parameters.ts';
import { fields } from '../../questions/question.ts';
import { allOf, PageRows, sql } from '../../questions/sql.ts';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Pager, productHref } from '../parts.tsx';
import { exactMoney, longDate, money, plural, text } from '../words.ts';

interface Rule {
  readonly list: string;
  readonly watch_id: string;
  readonly region: RegionCode;
  readonly product_id: string;
  readonly title: string;
  readonly rule: WatchRule;
  readonly amount: string | null;
  readonly currency: string;
  readonly price: string | null;
  readonly last_event_on: string | null;
  readonly last_event: string | null;
}

interface Asked {
  readonly region: RegionCode;
  readonly product_id: string;
  readonly title: string;
  /** What those pay who pay least, now and at the lowest of a year. */
  readonly price: string | null;
  readonly lowest: string | null;
  readonly currency: string;
}

const rowsOfPage = 100;

/** What a rule waits for, in words. */
const rules: Readonly<Record<WatchRule, string>> = {
  below: 'costs at most',
  lowest: 'has its lowest price of a year',
  back: 'is for sale again',
  shrank: 'comes in a smaller pack',
  discount: 'has an offer that is a real reduction',
};

export const watch = definePage({
  path: '/watch',
  nav: 'Watch',
  about: 'Named lists of rules about products, and when each came true.',
  hasForm: true,
  parameters: {
    list: textUpTo(40).meta({ description: 'Only this list' }),
    region: RegionParameter,
    product: textUpTo(64).meta({ description: 'Id of a product to add' }),
    page: PageNumber,
  },
  queries: ({ list, region, product, page }) => ({
    rules: {
      caption: 'Rules',
      sql: sql`
        select
          w.list, w.title, w.rule, w.amount, least(now.price, now.loyalty_price) as price, w.currency,
          told.snapshot_date as last_event_on, told.event as last_event, w.region, w.product_id, w.watch_id
        from marts.watch w
        cross join lateral (select * from marts.product_now n where n.product_key = w.product_key offset 0) as now
        left join (
          select distinct on (watch_id) watch_id, snapshot_date, event
          from marts.watch_event
          order by watch_id, snapshot_date desc
        ) as told on told.watch_id = w.watch_id
        where ${allOf(list !== undefined && sql`w.list = ${list}`)}
        order by told.snapshot_date desc nulls last, w.list, w.title, w.watch_id
        limit ${new PageRows(rowsOfPage)} offset ${(page - 1) * rowsOfPage}`,
      columns: [
        ...fields('title'),
        { name: 'rule', heading: 'Tell when it' },
        { name: 'price', heading: 'Price now', as: 'money' },
        { name: 'last_event_on', heading: 'Last came true', as: 'date' },
        { name: 'last_event', heading: 'What happened', as: 'sentence' },
        ...fields('list'),
        { name: 'watch_id', heading: 'Change' },
      ],
      none: 'No rules yet. “Tell me when…” on the page of a product adds one.',
    } as Query<Rule>,
    lists: {
      caption: 'Lists',
      sql: sql`
        select list, count(*)::int as rules from marts.watch group by list order by list limit 200`,
      columns: [
        { name: 'list', heading: 'List' },
        { name: 'rules', heading: 'Rules', as: 'number' },
      ],
      none: 'There are no lists.',
    } as Query<{ readonly list: string; readonly rules: number }>,
    product: {
      caption: 'The product to add',
      sql: sql`
        select region, product_id, title, least(price, loyalty_price) as price, currency,
          (select min(least(spell.price, spell.loyalty_price))
           from marts.fct_price_spell spell
           where spell.product_key = now.product_key
             and (spell.valid_to is null or spell.valid_to > ${lastCertified(region)} - 365)) as lowest
        from marts.product_now now
        where region = ${region} and product_id = ${product ?? ''}
        limit 1`,
      columns: [
        ...fields('region', 'product_id', 'title', 'price', 'currency'),
        { name: 'lowest', heading: 'Lowest in a year', as: 'money' },
      ],
      none: 'No product is chosen.',
    } as Query<Asked>,
  }),
  title: (_, { rules: { rows } }) => {
    const last = rows[0]?.last_event_on ?? null;
    const now = rows.filter(isTrueNow).length;
    if (last === null && now > 0) return `${plural(now, 'rule')} ${now === 1 ? 'is' : 'are'} true now`;
    if (last === null) return rows.length === 0 ? 'Be told about prices' : 'Nothing to tell yet';
    const count = rows.filter(({ last_event_on }) => last_event_on === last).length;
    return `${plural(count, 'rule')} came true on ${longDate(last)}`;
  },
  lead: () =>
    'A list is a name for rules that belong together, such as “weekly”: it has a feed, which a feed reader follows. ' +
    'To be told by e-mail or chat, ask who runs this explorer to set it up (docs/analyse/watches.md). ' +
    'The lower of shelf and members’ price counts.',
  view: ({ parameters: p, tables, hrefWith, at }) => (
    <>
      {tables.product.rows[0] && <Add product={tables.product.rows[0]} csrf={at.csrf} />}
      {tables.lists.rows.length > 0 && (
        <Card title="Lists">
          <ul class="plain">
            {tables.lists.rows.map(({ list, rules: count }) => (
              <li key={list}>
                <a href={hrefWith({ list, page: null })}>{list}</a>, {plural(count, 'rule')},{' '}
                <a href={`/watch/${list}.atom`}>feed of {list}</a>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <DataTable
        of={tables.rules}
        cells={{
          title: ({ region, product_id, title }) => <a href={productHref(region, product_id)}>{text(title)}</a>,
          rule: ({ rule, amount, currency, price }) =>
            amount === null ? (
              rules[rule]
            ) : (
              <>
                {rules[rule]} {exactMoney(amount, currency)}{' '}
                {isTrueNow({ amount, price }) && <span class="badge low">true now</span>}
              </>
            ),
          watch_id: ({ watch_id, title }) => (
            <form method="post" action="/watch">
              <input type="hidden" name="_csrf" value={at.csrf ?? ''} />
              <button type="submit" name="remove" value={watch_id} aria-label={`Remove: ${title}`}>
                Remove
              </button>
            </form>
          ),
        }}
      />
      <Pager page={p.page} hasMore={tables.rules.hasMore} hrefWith={hrefWith} />
    </>
  ),
});

/** Whether a product costs at most the amount of its rule. */
const isTrueNow = ({ amount, price }: Pick<Rule, 'amount' | 'price'>) =>
  amount !== null && price !== null && Number(price) <= Number(amount);

/** The lowest price of a year or, if that is the price now, 10% less. */
function suggestedAmount({ price, lowest }: Asked): string {
  if (price === null) return '';
  const isLower = lowest !== null && Number(lowest) < Number(price);
  return (isLower ? Number(lowest) : Math.max(0.01, 0.9 * Number(price))).toFixed(2);
}

/** Form that adds a rule. */
function Add({ product, csrf }: { product: Asked; csrf: string | null }): JSX.Element {
  const { region, product_id, title, price, currency } = product;
  const now = price === null ? '' : `${money(price, currency)} now, `;
  return (
    <Card title={`Tell me about ${text(title)}`} aside={`${now}${regions[region].name}`}>
      <form class="filters" method="post" action="/watch">
        <input type="hidden" name="_csrf" value={csrf ?? ''} />
        <input type="hidden" name="region" value={region} />
        <input type="hidden" name="product" value={product_id} />
        <label>
          When it
          <select name="rule">
            {Object.entries(rules).map(([rule, words]) => (
              <option key={rule} value={rule}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          Amount, for “costs at most”
          <input name="amount" type="number" min="0.01" step="0.01" value={suggestedAmount(product)} />
        </label>
        <label>
          List, any name
          <input name="list" value="prices" required pattern="[a-z0-9][a-z0-9\-]*" maxLength={40} />
        </label>
        <button type="submit">Add</button>
      </form>
    </Card>
  );
}
