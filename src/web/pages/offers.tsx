import { usualNights } from '../../questions/promotions.ts';
import { sql } from '../../questions/sql.ts';
import { chips, filters, pair, when } from '../kernel/blocks.tsx';
import { breakdown, columns, sumOf } from '../kernel/counts.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Badge } from '../kernel/parts.tsx';
import { products } from '../kernel/products.tsx';
import { badgeWords, judged, type Offer, priceOf, spanWords, verdictOf, verdictSentence } from '../kernel/verdicts.ts';
import { articled, longDate, money, plural, regionName, text } from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';

/** Verdicts of the check, and colours. Filters find those that fail already with their verdicts. */
const kinds = Object.entries({
  real: 'real',
  overstated: 'overstated',
  'no reduction': 'no-reduction',
  'fails already': 'lost',
  'too early to tell': 'early',
  'nights missing': 'kept',
  'nothing to check': 'several',
}).map(([value, fill]) => ({ value, name: value, fill }));

/** Verdicts to choose from. */
const names = {
  '': 'All',
  real: 'Real',
  overstated: 'Overstated',
  'no-reduction': 'No reduction',
  'not-real': 'Not real',
  'too-early': 'Too early to tell',
  'nights-missing': 'Nights missing',
  none: 'Nothing to check',
} as const;

/** How a list shows offers. */
export const offerList = {
  drawn: 'member' as const,
  below: (row: Offer) => (
    <span>
      {text(row.description ?? '')}, {spanWords(row)}. {verdictSentence(row, row.title)}
    </span>
  ),
  cells: [
    {
      heading: 'Offer',
      isPrice: true,
      show: (row: Offer) => (
        <>
          <span class="price">
            {row.reduced_price === null ? money(row.shelf_price, row.currency) : priceOf(row, row.reduced_price)}
          </span>
          {row.reduced_price === null && <small>when it began</small>}
          {row.prior_price !== null && <small>lowest before {money(row.compared_price, row.currency)}</small>}
          <Badge kind={verdictOf(row.verdict_label)}>{badgeWords(row, row.title)}</Badge>
        </>
      ),
    },
  ],
};

type Judged = ParametersOf<typeof judged>;

/** Neither a verdict nor another order was chosen, nor offers that have ended or that began in some week. */
const isOverview = ({ written: { sort = 'newest', ...written } }: Pick<Shown<unknown, unknown>, 'written'>) =>
  sort === 'newest' && !['verdict', 'running', 'until'].some((name) => name in written);

const verdict = sql`case
  when has_all_nights is not true and verdict_label in ('overstated', 'no reduction') then 'fails already'
  else coalesce(
    verdict_label, case prior_price_reason when 'nights_missing' then 'nights missing' else 'nothing to check' end)
end`;

/** Numbers of offers by verdict; without all nights, an offer can only fail. */
const tally = ({ countBy }: Pick<Shown<Offer, Judged>, 'countBy'>) => countBy(verdict);

const numberOf = (counts: Parameters<typeof sumOf>[0], ...of: string[]) =>
  sumOf(counts.filter(({ value }) => of.includes(value!)));
const checkable = (counts: Parameters<typeof sumOf>[0]) => numberOf(counts, 'real', 'overstated', 'no reduction');

const first = { ...offerList, only: 3, all: 'All running now', none: 'No such offer is known.' };

/** The first offers of a verdict that are running now. */
const short = (title: string, verdict: 'real' | 'not-real', sort: 'most' | 'gap') =>
  products({ ...first, title, given: { verdict, running: 'yes', sort } });

export const offersPage = page(judged, {
  nav: 'Offers',
  async title(shown) {
    const { parameters } = shown;
    const { region, verdict, running, since } = parameters;
    const counts = await tally(shown);
    const state = running === undefined ? '' : running === 'yes' ? ' still running' : ' that ended';
    const span = since === undefined ? '' : ` since ${longDate(since)}`;
    const where = `${state}${await inCategory(shown, parameters)} in ${articled(regionName(region))}${span}`;
    if (verdict !== undefined) return `“${names[verdict]}” is the verdict on ${plural(sumOf(counts), 'offer')}${where}`;
    const [real, failed] = [numberOf(counts, 'real'), numberOf(counts, 'fails already')];
    const all = checkable(counts);
    if (all > 0) return `${real} of ${plural(all, 'checkable offer')}${where} ${real === 1 ? 'is' : 'are'} real`;
    return `None of ${plural(sumOf(counts), 'offer')}${where} can be called real yet; ${failed} fail already`;
  },
  async lead(shown) {
    const { since, until } = shown.parameters;
    const counts = await tally(shown);
    const began = since === undefined ? `in the last ${usualNights} nights` : `since ${longDate(since)}`;
    return (
      `${plural(sumOf(counts), 'offer')} began ${began}${until === undefined ? '' : `, up to ${longDate(until)}`}; ` +
      `for ${checkable(counts) || 'none'} of them all of the 30 nights before are known. A real one costs less than ` +
      'anyone, with or without a card, paid in those nights. An overstated one does, but saves less than it says.'
    );
  },
  blocks: [
    chips('verdict', 'Verdict', names),
    filters('category', 'since', 'until', 'running', 'sort'),
    when(
      ({ parameters: { verdict: chosen } }) => chosen === undefined,
      pair(
        breakdown('verdict_label', {
          title: 'Verdicts',
          heading: 'Verdict',
          kinds,
          counts: tally,
          remark:
            'The first three are checkable: all of the 30 nights before are known. Without them an offer can fail ' +
            'already, but not be called real. Nothing to check: a deal on several products, such as 3 for 2, or no ' +
            'saving is claimed.',
        }),
        columns('verdict_label', {
          title: 'Offers that began, by week',
          aside: 'weeks from Monday',
          kinds,
          byDate: true,
          counts: ({ countBy }) => countBy(sql`concat(date_trunc('week', snapshot_date::timestamp)::date, ${verdict})`),
        }),
      ),
    ),
    when(
      isOverview,
      pair(short('Real discounts', 'real', 'most'), short('Overstated, or no reduction at all', 'not-real', 'gap')),
    ),
    when((shown) => !isOverview(shown), products({ ...offerList, title: 'Offers' })),
  ],
});
