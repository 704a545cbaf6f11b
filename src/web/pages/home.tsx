import { nightsIn, regionCodes } from '../../base/model/index.ts';
import { contributions } from '../../questions/contributions.ts';
import { movers } from '../../questions/movers.ts';
import { priceIndex } from '../../questions/price-index.ts';
import { sql } from '../../questions/sql.ts';
import { dateOf, datesBetween, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { searchOf } from '../kernel/addresses.ts';
import { beside, of, pair, when } from '../kernel/blocks.tsx';
import { Find } from '../kernel/layout.tsx';
import { type Block, type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Card, Chips, Facts, withCode } from '../kernel/parts.tsx';
import { products } from '../kernel/products.tsx';
import { judged } from '../kernel/verdicts.ts';
import { articled, number, percent, regionName, text } from '../kernel/words.ts';
import { Moved, monthOf, movedWords, restarts } from './inflation-parts.tsx';
import { canCompare, largestMoves } from './movers.tsx';
import { offerList } from './offers.tsx';

type Parameters = ParametersOf<typeof movers>;
type HomeBlock = Block<unknown, Parameters>;

const examples = ['milk', 'chocolate', 'coffee', 'bread', 'cat food'];

const hero: HomeBlock = ({ parameters: { region } }) => (
  <section class="hero">
    <h1>What does it cost, and what did it cost before?</h1>
    <p class="lead">
      Every price of an online supermarket in the United Kingdom and Ireland, read each night and kept: what moved, and
      which discounts are real.
    </p>
    <Find id="find" kept={{ region: region === 'ie' ? region : null }} />
    <Chips
      label="Examples"
      said="Try"
      of={examples.map((words) => [words, `/find${searchOf({ region, words })}`] as const)}
    />
  </section>
);

const indexOf = async (shown: Shown<unknown, Parameters>) =>
  (await (await shown.of(priceIndex, { region: 'uk,ie', period: 'day' })).rows({ limit: null })).rows;

/** The index of both regions, and its change in 30 nights or, in a younger book, in all its nights. */
const indexCard: HomeBlock = async (shown) => {
  const { region } = shown.parameters;
  const rows = await indexOf(shown);
  if (rows.length === 0) {
    const how = 'No night is complete yet. `pricebook crawl` reads one now, `pricebook start` reads every night.';
    return <p class="none">{withCode(how)}</p>;
  }
  const changes = [];
  for (const code of regionCodes) {
    // Others would read all moves of a week.
    const columns = ['change_30_pct', 'change_first_pct', 'change_error_pct', 'new_basis_since', 'first_night'];
    const [all] = (await (await shown.of(contributions, { region: code })).rows({ limit: 1, columns })).rows;
    if (all) changes.push({ code, change: monthOf(all), from: all });
  }
  const own = changes.find(({ code }) => code === region);
  const { dearer, cheaper } = await shown.count({ dearer: sql`change > 0`, cheaper: sql`change < 0` });
  const starts = rows.map(({ period_start }) => period_start).sort();
  // The chart ends with the changes above it.
  const since = own?.from.change_30_pct == null ? starts[0]! : dateOf(dayOf(starts.at(-1)!) - nightsIn.month);
  const known = changes.filter(({ change }) => change !== null);
  const moves = (
    <>
      <span class="up">{number(dearer)}</span>
      <small> dearer,</small> <span class="down">{number(cheaper)}</span>
      <small> cheaper</small>
    </>
  );
  return (
    <Card
      title={movedWords(`Prices in ${articled(regionName(region))}`, own?.from)}
      aside={
        <a class="more" href={`/index?region=${region}`}>
          Inflation by department
        </a>
      }
    >
      <Facts
        areLarge
        of={[
          ...known.map(
            ({ code, change, from }) =>
              [regionName(code), <Moved by={change} error={from.change_error_pct} />] as const,
          ),
          [`${region === 'uk' ? 'UK' : 'Ireland'}, prices last night`, dearer + cheaper === 0 ? null : moves],
        ]}
      />
      <p class="quiet">±: two standard errors. A change within them may be chance, and has no colour.</p>
      <PeriodChart
        id="index"
        isShort
        title="Price index of everything"
        description={known.map(({ code, change }) => `${regionName(code)} ${percent(change)}`).join('; ')}
        periods={datesBetween(since, starts.at(-1)!)}
        series={regionCodes.map((code) => {
          const line = rows.filter((row) => row.region === code && row.value && row.period_start >= since);
          const unit = 100 / Number(line[0]?.value);
          return {
            name: regionName(code),
            short: code === 'uk' ? 'UK' : 'Ireland',
            anew: restarts(line),
            values: new Map(line.map((row) => [row.period_start, Number(row.value) * unit])),
          };
        })}
        level={100}
        format={(value, decimals = 1) => value.toFixed(Math.max(1, decimals))}
      />
    </Card>
  );
};

/** Offers that began in the last nights and are in effect. */
const offers = (verdict: 'real' | 'not-real', words: Record<'title' | 'all' | 'none', string>) =>
  of(
    judged,
    ({ region }: Parameters, { at }) => {
      const since = dateOf(dayOf(at.now.toISOString().slice(0, 10)) - 7);
      return { verdict, region, since, running: 'yes', sort: verdict === 'real' ? 'most' : 'gap' } as const;
    },
    products({ ...offerList, ...words, only: 5, below: ({ description }) => text(description ?? '') }),
  );

export const homePage = page(movers, {
  path: '/',
  nav: 'Home',
  about: 'The price index, what moved last night, and which offers of this week are real.',
  hasOwnHeading: true,
  title: () => 'What does it cost, and what did it cost before?',
  blocks: [
    beside('pair wide-right')(hero, indexCard),
    when(canCompare, largestMoves(5, 'Dearer last night', 'Cheaper last night')),
    when(
      canCompare,
      pair(
        offers('real', {
          title: 'Real discounts of this week',
          all: 'All real ones',
          none: 'No offer that began this week is known to be real. A verdict needs the 30 nights before.',
        }),
        offers('not-real', {
          title: 'Offers of this week that save less than they say',
          all: 'All, and why',
          none: 'No offer of this week saves less than it says.',
        }),
      ),
    ),
  ],
});
