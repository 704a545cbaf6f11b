import { nightsIn } from '../../base/model/index.ts';
import type { RowOf } from '../../questions/columns.ts';
import { movers } from '../../questions/movers.ts';
import { sql } from '../../questions/sql.ts';
import { dayOf } from '../charts/days.ts';
import { chips, filters, pair, when } from '../kernel/blocks.tsx';
import { priceChange } from '../kernel/cells.tsx';
import { columns, spread, sumOf } from '../kernel/counts.tsx';
import { type ParametersOf, page, type Shown } from '../kernel/page.ts';
import { Chips } from '../kernel/parts.tsx';
import { products } from '../kernel/products.tsx';
import { longDate, number, plural, text } from '../kernel/words.ts';
import { CategoryLinks, inCategory } from './category-links.tsx';

type Move = RowOf<typeof movers>;

type Parameters = ParametersOf<typeof movers>;

/** What became dearer or cheaper. Each side shows its first products, a chosen one all. */
const sideOf = (direction: 'rises' | 'falls', title: string, all: string, most: number) =>
  products<Move, Parameters>({
    ...{ title, all, none: 'No price changed that way.', given: { direction }, cells: [priceChange] },
    only: ({ direction: chosen }) => (chosen === 'both' ? most : undefined),
    drawn: ({ basis }) => basis,
    sign: () => (direction === 'rises' ? 1 : -1),
  });

/** The largest changes of both sides. */
export const largestMoves = (most: number, dearer: string, cheaper: string) =>
  pair<Move, Parameters>(sideOf('rises', dearer, 'All movers', most), sideOf('falls', cheaper, 'All movers', most));

const comparedIn = (parameters: unknown) => (parameters as { compared: Pick<Move, 'since' | 'until'> }).compared;

/** Whether there are two nights. */
export const canCompare = ({ parameters }: Pick<Shown<Move, Parameters>, 'parameters'>) =>
  ![null, comparedIn(parameters).since].includes(comparedIn(parameters).until);

/** `since the night before`, `in a week`; other nights than asked for are counted. */
function spanOf({ since, until }: ReturnType<typeof comparedIn>, period: keyof typeof nightsIn): string {
  const days = dayOf(until) - dayOf(since);
  if (days === 1) return 'since the night before';
  return days === nightsIn[period] ? `in a ${period}` : `in ${plural(days, 'night')}`;
}

const changes = spread(sql`(100::float8 * change_minor / old_minor)`, [0, 5, 10, 20]);

type Counting = Pick<Shown<Move, Parameters>, 'countBy'>;
const sizesOf = ({ countBy }: Counting) => countBy(changes.by, {}, { given: { direction: 'both' } });

/** Numbers of products that became dearer and cheaper, of which one statement counts each size. */
async function sidesOf(page: Counting) {
  const counts = await sizesOf(page);
  const [dearer, cheaper] = [1, -1].map((side) => sumOf(counts.filter(({ value }) => Number(value) * side > 0)));
  return { dearer: dearer!, cheaper: cheaper! };
}

export const moversPage = page(movers, {
  nav: 'Movers',
  async title({ ask, countBy, parameters }) {
    const { basis, words, period } = parameters;
    const { dearer, cheaper } = await sidesOf({ countBy });
    const where = await inCategory({ ask }, parameters);
    if (!canCompare({ parameters })) return 'There is no earlier night to compare with';
    if (dearer + cheaper === 0) return `No price${where} changed that way`;
    const named = words === undefined ? 'product' : `product with “${text(words)}”`;
    const counted = plural(dearer, named, named.replace('product', 'products'));
    const span = `${basis === 'member' ? 'for members ' : ''}${spanOf(comparedIn(parameters), period)}`;
    return `${counted}${where} became dearer ${span}, ${number(cheaper)} cheaper`;
  },
  lead({ parameters }) {
    if (!canCompare({ parameters })) return '';
    const { since, until } = comparedIn(parameters);
    const nights = `of ${longDate(until)} against ${longDate(since)}`;
    return parameters.basis === 'shelf'
      ? `Shelf prices ${nights}.`
      : `Prices with a card ${nights}. Offers per kg are left out.`;
  },
  blocks: [
    chips('period', 'Period', { night: 'Last night', week: 'A week', month: 'A month' }),
    chips('basis', 'Prices', { shelf: 'Shelf prices', member: 'What members pay' }),
    ({ parameters: { region }, hrefWith }) => (
      <Chips
        label="Changes"
        of={[
          ['Net change of the period', hrefWith({}), true],
          ['Every change', `/changes?region=${region}`],
        ]}
      />
    ),
    filters('category', 'words', 'direction', 'until', 'price_from'),
    ({ parameters: { region, category } }) => category && <CategoryLinks {...{ region, category }} but="/movers" />,
    columns('change_pct', {
      kinds: changes.kinds,
      counts: sizesOf,
      title: 'How large the changes are',
    }),
    async (page) => {
      const { dearer, cheaper } = await sidesOf(page);
      const isShown = { rises: page.parameters.direction !== 'falls', falls: page.parameters.direction !== 'rises' };
      return pair<Move, Parameters>(
        when(() => isShown.rises, sideOf('rises', 'Dearer', `All ${number(dearer)}`, 10)),
        when(() => isShown.falls, sideOf('falls', 'Cheaper', `All ${number(cheaper)}`, 10)),
      )(page);
    },
  ],
});
