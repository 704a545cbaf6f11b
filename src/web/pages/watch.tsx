import type { JSX } from 'preact';
import { z } from 'zod';
import { type RegionCode, regions } from '../../base/model/index.ts';
import { RegionParameter, textUpTo } from '../../questions/parameters.ts';
import { watchScript } from '../assets.ts';
import { Change } from '../change.tsx';
import { FindParameter, foundQuery } from '../chosen-products.tsx';
import { Ways } from '../data-table.tsx';
import { nextNight } from '../next-night.ts';
import { definePage, type Moment, type Table } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Chips, Pager, productHref } from '../parts.tsx';
import { lineNights, PriceCell, ProductTable } from '../product-table.tsx';
import { dayAndMonth, number, plural, text } from '../words.ts';
import { AddForm } from './watch-form.tsx';
import { ListsCard } from './watch-lists-card.tsx';
import { askedQuery, type CameTrue, eventsQuery, listsQuery, type Rule, rulesQuery } from './watch-queries.ts';
import { formRules, listName, ruleWords, State, sentWords, trueNow } from './watch-words.tsx';

export const watch = definePage({
  path: '/watch',
  nav: 'Watch',
  about: 'Named lists of rules about products, and when each came true.',
  hasForm: true,
  script: watchScript,
  parameters: {
    list: textUpTo(40).meta({ description: 'Only this list' }),
    region: RegionParameter,
    find: FindParameter,
    product: textUpTo(64).meta({ description: 'Id of a product to add' }),
    rule: z.enum(formRules).default('below').meta({ description: 'Rule in the form' }),
    amount: textUpTo(20).meta({ description: 'Amount in the form' }),
    percent: textUpTo(4).meta({ description: 'Percent in the form' }),
    change: z.uuid().optional().meta({ description: 'Rule that the form replaces' }),
    added: z.uuid().optional().meta({ description: 'Rule that was just added' }),
    page: PageNumber,
  },
  queries: ({ list, region, find, product, page }) => ({
    rules: rulesQuery(list, page),
    lists: listsQuery,
    events: eventsQuery(list),
    product: askedQuery(region, product),
    found: foundQuery(find, region),
    lines: lineNights(region),
  }),
  elsewhere: (region, { hrefWith }) =>
    hrefWith({ region, product: null, rule: null, amount: null, percent: null, change: null, added: null, page: null }),
  title: ({ list }, { lists: { rows }, rules: shown }) => {
    const own = list === undefined ? rows : rows.filter((one) => one.list === list);
    const count = own.reduce((sum, one) => sum + one.rules, 0);
    const news = own.reduce((sum, one) => sum + one.came_true, 0);
    if (count === 0) return 'Be told when a price falls';
    const of = (some: number) => (count === 1 ? 'The watch' : `${some} of ${plural(count, 'watch', 'watches')}`);
    if (news > 0) return `${of(news)} came true last night`;
    const already = shown.rows.filter((row) => trueNow(row) !== null).length;
    if (already > 0) return `${of(already)} ${already === 1 ? 'is' : 'are'} true already`;
    return count === 1 ? '1 watch waits for the next night' : `${number(count)} watches wait for the next night`;
  },
  lead: () =>
    'A rule waits for a price, a return to stock, a smaller pack or a real discount. ' +
    'The lower of shelf and members’ price counts.',
  view: ({ parameters: p, tables, hrefWith, at }) => {
    const { rules: watched, lists, events, product, found, lines } = tables;
    const asked = product.rows[0];
    return (
      <>
        {at.refused !== null && (at.refused.field === null || asked === undefined) && (
          <p class="error" role="alert">
            {at.refused.line}
          </p>
        )}
        <Added rows={watched.rows} added={p.added} at={at} />
        {asked && <AddForm product={asked} given={p} lists={lists.rows.map(({ list }) => list)} at={at} />}
        {p.find !== undefined && (
          <Card title={`Products with “${text(p.find)}”`} aside={regions[p.region].name}>
            <ProductTable
              of={found}
              nights={lines}
              form={null}
              columns={[
                { heading: 'Price', isPrice: true, cell: (row) => <PriceCell of={row} /> },
                {
                  heading: 'Watch',
                  cell: (row) => (
                    <a
                      href={hrefWith({ find: null, product: row.product_id, added: null })}
                      aria-label={`Watch it: ${text(row.title)}`}
                    >
                      Watch it
                    </a>
                  ),
                },
              ]}
            />
          </Card>
        )}
        {lists.rows.length > 1 && (
          <Chips
            label="Lists"
            chosen={p.list ?? ''}
            options={{ '': 'All lists', ...Object.fromEntries(lists.rows.map(({ list }) => [list, listName(list)])) }}
            href={(list) => hrefWith({ list: list || null, page: null, added: null })}
          />
        )}
        <div class="pair wide-left">
          <Watched p={p} tables={{ watched, lines }} at={at} hrefWith={hrefWith} />
          <div class="stack">
            <FindCard region={p.region} list={p.list} words={p.find} />
            <ListsCard
              lists={lists}
              chosen={p.list}
              at={at}
              href={(list) => hrefWith({ list, page: null, added: null })}
            />
          </div>
        </div>
        <News of={events} at={at} />
      </>
    );
  },
});

/** The rules, each beside its price and how far it is from coming true. */
function Watched(props: {
  p: { readonly list?: string | undefined; readonly region: RegionCode; readonly page: number };
  tables: { watched: Table<Rule>; lines: Table<{ snapshot_date: string }> };
  at: Moment;
  hrefWith(changes: Readonly<Record<string, string | number | null>>): string;
}): JSX.Element {
  const { p, tables, at, hrefWith } = props;
  const { watched, lines } = tables;
  const hrefOfChange = ({ region, product_id: product, rule, amount, list, watch_id: change }: Rule) =>
    hrefWith({ region, product, rule, amount, list, change, added: null });
  const isDue = (row: Rule) => row.is_news || trueNow(row) !== null;
  return (
    <Card title={p.list === undefined ? 'Watches of this explorer' : listName(p.list)}>
      <ProductTable
        of={{ ...watched, rows: watched.rows.toSorted((a, b) => Number(isDue(b)) - Number(isDue(a))) }}
        nights={lines}
        form={null}
        below={(row) => (
          <>
            <span>{ruleWords(row)}</span>
            <a href={hrefOfChange(row)} aria-label={`Change: ${text(row.title)}`}>
              Change
            </a>
            {p.list === undefined && <span>{listName(row.list)}</span>}
          </>
        )}
        columns={[
          ...(watched.rows.some((row) => row.change_30_pct !== null)
            ? [{ heading: '30 nights', cell: (row: Rule) => <Change percent={row.change_30_pct} /> }]
            : []),
          { heading: 'State', cell: (row) => <State of={row} /> },
          { heading: 'Price', isPrice: true, cell: (row) => <PriceCell of={row} /> },
          {
            heading: 'Remove',
            cell: ({ title, watch_id }) => (
              <form method="post" action="/watch">
                <input type="hidden" name="_csrf" value={at.csrf ?? ''} />
                <button
                  class="plain"
                  type="submit"
                  name="remove"
                  value={watch_id}
                  aria-label={`Remove: ${text(title)}`}
                >
                  Remove
                </button>
              </form>
            ),
          },
        ]}
      />
      {watched.rows.length === 0 && (
        <p>
          <a class="button" href={p.region === 'uk' ? '/products' : '/products?region=ie'}>
            Find products
          </a>
        </p>
      )}
      {watched.rows.length > 0 && (
        <p class="about">
          Looked at after each night’s crawl; the next begins on {nextNight(p.region, at.now, at.nightBeginsAt)}.
          Everybody who can open this page sees and changes these watches.
        </p>
      )}
      <Pager page={p.page} hasMore={watched.hasMore} hrefWith={hrefWith} />
    </Card>
  );
}

/** What a rule that was just added says already. */
function Added(props: { rows: readonly Rule[]; added: string | undefined; at: Moment }): JSX.Element | null {
  const { rows, added, at } = props;
  const row = rows.find(({ watch_id }) => watch_id === added);
  if (!row) return null;
  const now = trueNow(row);
  return (
    <p class={now === null ? 'note' : 'note real'} role="status">
      Watching {text(row.title)}. {ruleWords(row)}, this page and the feed of the list say so
      {at.delivery?.destination != null && ', and a message is sent'}. It is looked at next after the crawl of{' '}
      {nextNight(row.region, at.now, at.nightBeginsAt)}.{' '}
      {now !== null && <strong>It is already true: {now}. It is news the next time it comes true.</strong>}
    </p>
  );
}

function FindCard({
  region,
  list,
  words,
}: {
  region: RegionCode;
  list: string | undefined;
  words: string | undefined;
}) {
  return (
    <Card title="Add a watch">
      <search>
        <form class="filters" action="/watch" autocomplete="off">
          {region === 'ie' && <input type="hidden" name="region" value="ie" />}
          {list !== undefined && <input type="hidden" name="list" value={list} />}
          <label>
            Product, brand or barcode
            <input type="search" name="find" value={words ?? ''} required minLength={2} />
          </label>
          <button type="submit">Search</button>
        </form>
      </search>
    </Card>
  );
}

function News({ of: events, at }: { of: Table<CameTrue>; at: Moment }): JSX.Element {
  return (
    <Card title="What came true" aside={<span id="since-last">last 30 nights</span>}>
      {events.rows.length === 0 ? (
        <p class="none">{events.none}</p>
      ) : (
        <ul class="offers">
          {events.rows.map((row, i) => (
            <li key={i} data-at={row.created_at.toISOString()}>
              <div>
                <a class="name" href={productHref(row.region, row.product_id)}>
                  {text(row.title)}
                </a>
                <div class="sub">{text(row.event)}</div>
              </div>
              <div class="sub">
                <span>{dayAndMonth(row.snapshot_date)}</span>
                <span>{listName(row.list)}</span>
                {at.delivery && <span>{sentWords(row, at.delivery)}</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
      <Ways table={events} />
    </Card>
  );
}
