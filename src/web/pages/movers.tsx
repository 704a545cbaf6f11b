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
import type { Line } from '../kernel/product-line.ts';
import { products } from '../kernel/products.tsx';
import { longDate, money, number, plural, text, unitName } from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';

type Move = RowOf<typeof movers>;

/** `£1.20 → £1.30 / kg`, with the digits that tell both apart. */
function unitPrices({ old_unit_price: before, new_unit_price: now, unit_of_measure, currency }: Move): string {
  if (now === null) return '';
  const pair = [before ?? now, now].map(Number);
  const decimals = [2, 3, 4].find((digits) => pair[0]!.toFixed(digits) !== pair[1]!.toFixed(digits)) ?? 2;
  const [old, current] = pair.map((amount) => money(amount.toFixed(decimals), currency));
  return `${old === current ? current : `${old} → ${current}`} / ${unitName(unit_of_measure)}`;
}

const list = {
  aside: 'largest first',
  // Each side shows its first ones, a chosen one all.
  only: ({ direction }: ParametersOf<typeof movers>) => (direction === 'both' ? 10 : undefined),
  none: 'No price changed that way.',
  drawn: ({ basis }: ParametersOf<typeof movers>) => basis,
  cells: [
    {
      ...priceChange,
      show: (row: Move & { readonly line: Line }) => (
        <>
          {priceChange.show(row)}
          <small>{unitPrices(row)}</small>
        </>
      ),
    },
  ],
};

const comparedIn = (parameters: unknown) => (parameters as { compared: Pick<Move, 'since' | 'until'> }).compared;

/** `since the night before`, `in a week`; other nights than asked for are counted. */
function spanOf({ since, until }: ReturnType<typeof comparedIn>, period: keyof typeof nightsIn): string {
  const days = dayOf(until) - dayOf(since);
  if (days === 1) return 'since the night before';
  return days === nightsIn[period] ? `in a ${period}` : `in ${plural(days, 'night')}`;
}

const changes = spread(sql`(100::float8 * change_minor / old_minor)`, [0, 5, 10, 20]);

type Counting = Pick<Shown<Move, ParametersOf<typeof movers>>, 'countBy'>;
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
    if (dearer + cheaper === 0) return `No price${where} changed that way`;
    const named = words === undefined ? 'product' : `product with “${text(words)}”`;
    const counted = plural(dearer, named, named.replace('product', 'products'));
    const span = `${basis === 'member' ? 'for members ' : ''}${spanOf(comparedIn(parameters), period)}`;
    return `${counted}${where} became dearer ${span}, ${number(cheaper)} cheaper`;
  },
  async lead(shown) {
    const { dearer, cheaper } = await sidesOf(shown);
    if (dearer + cheaper === 0) return '';
    const { since, until } = comparedIn(shown.parameters);
    const nights = `of ${longDate(until)} against ${longDate(since)}`;
    return shown.parameters.basis === 'shelf'
      ? `Shelf prices ${nights}.`
      : `What members pay: prices ${nights}. Without a price for members, that of the shelf counts.`;
  },
  blocks: [
    chips('period', 'Period', { night: 'Last night', week: 'A week', month: 'A month' }),
    chips('basis', 'Prices', { shelf: 'Shelf prices', member: 'What members pay' }),
    ({ parameters: { region }, hrefWith }) => (
      <Chips
        label="Changes"
        of={[
          ['Net change', hrefWith({}), true],
          ['Every change', `/changes?region=${region}`],
        ]}
      />
    ),
    filters('category', 'words', 'direction', 'by', 'until', 'price_from'),
    columns('change_pct', {
      kinds: changes.kinds,
      counts: sizesOf,
      title: 'How large the changes are',
      aside: ({ basis }) => `products by change of ${basis === 'shelf' ? 'the shelf price' : 'what members pay'}`,
    }),
    pair(
      when(
        ({ parameters: { direction } }) => direction !== 'falls',
        products({ ...list, title: 'Dearer', all: 'All dearer', given: { direction: 'rises' }, sign: () => 1 }),
      ),
      when(
        ({ parameters: { direction } }) => direction !== 'rises',
        products({ ...list, title: 'Cheaper', all: 'All cheaper', given: { direction: 'falls' }, sign: () => -1 }),
      ),
    ),
  ],
});
