import { z } from 'zod';
import { regions } from '../../base/model/index.ts';
import { lastDerived } from '../../questions/certified.ts';
import { RegionParameter, wholeNumber } from '../../questions/parameters.ts';
import { promotions as asked, type orders } from '../../questions/promotions.ts';
import { PageRows } from '../../questions/sql.ts';
import { CategoryChoice, CategoryParameter, categoryOptions, keyElsewhere, productsIn } from '../category-choice.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Table, type TablesOf } from '../page.ts';
import { PageNumber } from '../parameters.ts';
import { Card, Chips, Choice, Field, Filters, type HrefWith, Pager } from '../parts.tsx';
import { badgeWords, priceOf, type Verdict, verdictOf, verdictSentence } from '../prior-price.ts';
import { Badge, lineNights, type Night, ProductTable } from '../product-table.tsx';
import { dayAndMonth, longDate, money, number, plural, text } from '../words.ts';
import { Calendar, type Counts, fairTallyOf, sum, Tally, tallyOf, Weeks } from './promotion-charts.tsx';
import {
  type CheckedPromotion,
  type Counted,
  calendar,
  checked,
  depths,
  mostNights,
  onPromotion,
  type RunningPromotion,
  reach,
  running,
  verdicts,
} from './promotion-queries.ts';

const rowsOfPage = 30;
/** Of the short lists. */
const rowsOfList = 3;

export const promotions = definePage({
  path: '/promotions',
  nav: 'Offers',
  about: 'Offers, their depth, and whether the announced reductions are real.',
  parameters: {
    region: RegionParameter,
    nights: wholeNumber(1, mostNights)
      .default(31)
      .meta({ description: 'Offers that began in this number of days up to the last complete night' }),
    verdict: z
      .enum(['overview', 'any', ...asked.parameters.shape.verdict.unwrap().options])
      .default('overview')
      .meta({ description: 'Offers with this verdict; none: the offer announces nothing that could be checked' }),
    running: z.enum(['any', 'yes', 'no']).default('any').meta({ description: 'Whether the offer is still running' }),
    category: CategoryParameter,
    sort: asked.parameters.shape.sort,
    page: PageNumber,
  },
  queries: (p) => {
    const last = lastDerived(p.region);
    const which = { region: p.region, last, nights: p.nights, products: productsIn(p.category) };
    return {
      promotions: checked({
        ...which,
        ...{ verdict: given(p.verdict), running: given(p.running), sort: p.sort },
        part: { limit: new PageRows(rowsOfPage), offset: (p.page - 1) * rowsOfPage },
      }),
      running: running({ ...which, each: rowsOfList }),
      verdicts: verdicts(which),
      reach: reach(which),
      depths: depths(which),
      now: onPromotion({ region: p.region, last, category: p.category }),
      calendar: calendar({ region: p.region, category: p.category }),
      categories: categoryOptions([p.region], p.category),
      lines: lineNights(p.region),
    };
  },
  elsewhere: (region, { parameters, tables, hrefWith }) =>
    hrefWith({ region, category: keyElsewhere(tables.categories.rows, parameters.category), page: null }),
  title: (p, { verdicts: { rows }, running, reach: { rows: reached } }) => {
    if (reached[0]?.begins_on == null) return `Offers in ${regions[p.region].name}`;
    if (p.verdict !== 'overview') return chosenTitle(p, rows, runningOf(running));
    const counted = fairTallyOf(rows);
    if (sum(counted) === 0) return `No offer began in ${plural(p.nights, 'day')}`;
    if (sum(counted) === counted.unchecked) return `${plural(sum(counted), 'offer')}, and nothing to check`;
    const judged = counted.real + counted.overstated + counted['no-reduction'];
    // Without all nights before it, an offer can fail but not be real: a share of them would mislead.
    const [less, none] = [number(counted.overstated), number(counted['no-reduction'])];
    const early = `${number(counted.early)} too early to tell`;
    if (judged === 0) return `${plural(counted.failed, 'discount')} already known to overstate; ${early}`;
    return (
      `Of ${plural(judged, 'discount')} with 30 known nights before, ${number(counted.real)} ` +
      `${counted.real === 1 ? 'is' : 'are'} real, ${less} save less than they seem to and ${none} nothing`
    );
  },
  lead: () =>
    'Each is held against the lowest price that anyone, with or without a card, paid in the 30 nights before it ' +
    'began; reductions that follow each other without a break, in the 30 nights before the first. ' +
    'Overstated: it is cheaper, but by over a percentage point less than it says.',
  empty: ({ reach: { rows } }) =>
    rows[0]!.begins_on === null ? 'There are no figures about offers yet: they need complete nights.' : null,
  view: ({ parameters: p, tables, hrefWith }) => (
    <>
      <Chips
        label="Verdict"
        chosen={p.verdict}
        options={p.verdict === 'not-real' ? { ...chips, 'not-real': 'Overstated or none' } : chips}
        href={(verdict) => hrefWith({ verdict, page: null })}
      />
      <Filters action="/promotions" keep={{ region: p.region, verdict: p.verdict }}>
        <CategoryChoice options={tables.categories.rows} value={p.category} />
        <Field
          name="nights"
          label="Began in the last … days"
          value={p.nights}
          type="number"
          least={1}
          most={mostNights}
        />
        {p.verdict !== 'overview' && (
          <>
            <Choice
              name="running"
              label="Still running"
              value={p.running}
              options={{ any: 'any', yes: 'yes', no: 'no' }}
            />
            <Choice name="sort" label="Order" value={p.sort} options={orderNames} />
          </>
        )}
      </Filters>
      {tables.reach.rows[0]?.is_short === true && (
        <p class="notice">
          The data begin on {longDate(tables.reach.rows[0].begins_on!)}. A verdict of “real” needs the 30 nights before:
          none that began before {longDate(tables.reach.rows[0].pass_from!)} can have it.
        </p>
      )}
      {p.nights < mostNights &&
        (tables.promotions.rows.length === 0 || tables.verdicts.rows.length === 0) &&
        tables.reach.rows[0]?.has_earlier === true && (
          <p class="notice">
            Other offers began earlier:{' '}
            <a href={hrefWith({ nights: mostNights, page: null })}>look back {mostNights} days</a>.
          </p>
        )}
      {p.verdict === 'overview' ? (
        <Overview nights={p.nights} tables={tables} hrefWith={hrefWith} />
      ) : (
        <Card title={`Began in ${plural(p.nights, 'day')}`} aside={orderNames[p.sort]}>
          <OfferTable of={tables.promotions} nights={tables.lines} />
          <Pager page={p.page} hasMore={tables.promotions.hasMore} hrefWith={hrefWith} />
        </Card>
      )}
    </>
  ),
});

type Tables = TablesOf<{
  promotions: ReturnType<typeof checked>;
  running: ReturnType<typeof running>;
  verdicts: ReturnType<typeof verdicts>;
  reach: ReturnType<typeof reach>;
  depths: ReturnType<typeof depths>;
  now: ReturnType<typeof onPromotion>;
  calendar: ReturnType<typeof calendar>;
  lines: ReturnType<typeof lineNights>;
}>;

function Overview({ nights, tables, hrefWith }: { nights: number; tables: Tables; hrefWith: HrefWith }) {
  const counts = fairTallyOf(tables.verdicts.rows);
  return (
    <>
      {sum(counts) > 0 && (
        <>
          <div class="pair wide-right">
            <Tally of={counts} nights={nights} />
            <Weeks of={tables.verdicts.rows} />
          </div>
          <ShortLists tables={tables} all={sum(counts)} hrefWith={hrefWith} />
        </>
      )}
      <div class={tables.depths.rows.length > 0 ? 'pair' : undefined}>
        {tables.depths.rows.length > 0 && (
          <Card title="How deep they are" aside="announced, below the reference price">
            <DataTable of={tables.depths} cells={{ depth_from: (row) => depthWords(row.depth_from) }} />
            <p class="quiet">
              The reference price is the former price that the text names or, if it names none, the shelf price on the
              first night. In the United Kingdom the check of the prior price has no legal meaning.
            </p>
          </Card>
        )}
        <Card title="By category" aside="on offer on the last complete night">
          <DataTable
            of={tables.now}
            cells={{
              path: (row) => <a href={hrefWith({ category: row.category_key, page: null })}>{text(row.path)}</a>,
              share_on_promotion_pct: (row) => `${Number(row.share_on_promotion_pct).toFixed(1)}%`,
            }}
          />
        </Card>
      </div>
      <Calendar tables={tables} />
    </>
  );
}

/** Running offers of each verdict, and the newest of all; an empty list is one line. */
function ShortLists({ tables, all, hrefWith }: { tables: Tables; all: number; hrefWith: HrefWith }) {
  const lists = [
    ['Real discounts', 'real', 'deepest', 'No running offer is known to be real.'],
    ['Overstated', 'overstated', 'gap', 'No running offer is known to overstate.'],
    ['No reduction at all', 'no-reduction', 'gap', ''],
  ] as const;
  const filled = lists.map(([title, verdict, sort, none]) => {
    const rows = tables.running.rows.filter(({ verdict_label }) => verdictOf(verdict_label) === verdict);
    return { title, verdict, sort, none, rows };
  });
  return (
    <>
      {filled.map(
        ({ verdict, rows, none }) =>
          rows.length === 0 &&
          none !== '' && (
            <p key={verdict} class="quiet">
              {none}
            </p>
          ),
      )}
      <div class="pair lists">
        {filled.map(
          ({ title, verdict, sort, rows }) =>
            rows.length > 0 && (
              <Card
                key={verdict}
                title={title}
                aside={
                  <a class="more" href={hrefWith({ verdict, running: 'yes', sort, page: null })}>
                    All {number(rows[0]!.alike)} running now
                  </a>
                }
              >
                <OfferTable of={{ ...tables.running, caption: title, rows }} nights={tables.lines} />
              </Card>
            ),
        )}
        <Card
          title="Newest"
          aside={
            <a class="more" href={hrefWith({ verdict: 'any', page: null })}>
              All {number(all)} that began
            </a>
          }
        >
          <OfferTable
            of={{ ...tables.promotions, rows: tables.promotions.rows.slice(0, rowsOfList) }}
            nights={tables.lines}
          />
        </Card>
      </div>
    </>
  );
}

function OfferTable({ of: table, nights }: { of: Table<CheckedPromotion>; nights: Table<Night> }) {
  return (
    <ProductTable
      of={table}
      nights={nights}
      below={(row) => (
        <span class="why">
          {text(row.description)}, {dayAndMonth(row.snapshot_date)} {untilWords(row.ended_on)}.{' '}
          {verdictSentence(row, row.title)}
        </span>
      )}
      columns={[
        {
          heading: 'Offer',
          isPrice: true,
          cell: (row) => {
            return (
              <>
                <span class="price">
                  {row.reduced_price === null ? money(row.shelf_price, row.currency) : priceOf(row, row.reduced_price)}
                </span>
                {row.prior_price !== null && <small>was {money(row.compared_price, row.currency)}</small>}
                <Badge kind={verdictOf(row.verdict_label)}>{badgeWords(row, row.title)}</Badge>
              </>
            );
          },
        },
      ]}
    />
  );
}

const orderNames: Readonly<Record<keyof typeof orders, string>> = {
  newest: 'newest first',
  deepest: 'largest announced saving first',
  least: 'smallest real saving first',
  gap: 'largest difference from what it says first',
};

const chips = {
  overview: 'Overview',
  any: 'All',
  real: 'Real',
  overstated: 'Overstated',
  'no-reduction': 'No reduction',
  'too-early': 'Too early to tell',
  none: 'Nothing to check',
} as const;

const given = <Word extends string>(word: Word) =>
  word === 'any' || word === 'overview' ? undefined : (word as Exclude<Word, 'any' | 'overview'>);

/** What a list of one verdict says of its offers: of one, of several, and the verdicts in it. */
const listed: Readonly<Record<string, readonly [one: string, many: string, ...verdicts: Verdict[]]>> = {
  real: ['is real', 'are real', 'real'],
  'not-real': ['promises more than it saves', 'promise more than they save', 'overstated', 'no-reduction'],
  overstated: ['saves less than it says', 'save less than they say', 'overstated'],
  'no-reduction': ['is no reduction', 'are no reduction', 'no-reduction'],
  'too-early': ['cannot be judged yet', 'cannot be judged yet', 'early'],
  none: ['claims nothing that can be checked', 'claim nothing that can be checked', 'unchecked'],
};

interface Chosen {
  readonly verdict: string;
  readonly running: 'any' | 'yes' | 'no';
  readonly nights: number;
}

/** A list of failures has more offers than the overview counts: it includes those with nights missing. */
function chosenTitle({ verdict, running, nights }: Chosen, rows: readonly Counted[], still: Counts): string {
  const [began, fair] = [tallyOf(rows), fairTallyOf(rows)];
  const [one, many, ...wanted] = listed[verdict] ?? ['began', 'began', ...(Object.keys(began) as Verdict[])];
  const count = (counts: Counts) => wanted.reduce((all, each) => all + counts[each], 0);
  const found = running === 'yes' ? count(still) : running === 'no' ? count(began) - count(still) : count(began);
  const kind = { any: 'offer', yes: 'running offer', no: 'ended offer' }[running];
  const span = verdict === 'any' ? ` in ${plural(nights, 'day')}` : '';
  const known = running === 'any' && verdict !== 'any' ? count(fair) : found;
  const fairly = known < found ? `; ${number(known)} of them with all 30 nights before known` : '';
  return `${plural(found, kind)} ${found === 1 ? one : many}${span}${fairly}`;
}

/** Running offers by verdict. */
function runningOf({ rows }: Table<RunningPromotion>): Counts {
  const firsts = rows.filter(
    (row, i) => rows.findIndex(({ verdict_label: label }) => label === row.verdict_label) === i,
  );
  return tallyOf(firsts.map(({ verdict_label, alike }) => ({ verdict_label, promotions: alike })));
}

function untilWords(date: string | null): string {
  return date === null ? 'until now' : `to ${dayAndMonth(date)}`;
}

function depthWords(from: number | null): string {
  if (from === null) return 'no depth known';
  return from < 0 ? 'above the reference price' : from >= 70 ? '70% and more' : `${from}% to under ${from + 10}%`;
}
