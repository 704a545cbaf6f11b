import { firstDerived, lastDerived } from '../../questions/certified.ts';
import { fields, type RowOf } from '../../questions/columns.ts';
import { packChanges, usualNights } from '../../questions/pack-changes.ts';
import { sql } from '../../questions/sql.ts';
import { Bar } from '../charts/spark.tsx';
import { productHref } from '../kernel/addresses.ts';
import { chips, filters } from '../kernel/blocks.tsx';
import { added, page, withColumns } from '../kernel/page.ts';
import { Change } from '../kernel/parts.tsx';
import { products } from '../kernel/products.tsx';
import { longDate, money, nothing, packSize, percent, perUnits, plural, shortDate, text } from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';

const asked = withColumns(
  packChanges,
  added(
    'unit_price_now',
    'money',
    sql`(
      select now.price / asked.new_size * case asked.unit when 'each' then 1 else 1000 end
      from marts.product_now now where now.product_key = asked.product_key)`,
  ),
  added(
    'former_title',
    'sentence',
    sql`(
      select former.title from marts.product_now former
      where former.region = asked.region and former.product_id = asked.former_product_id)`,
  ),
);

type Pack = RowOf<typeof asked>;

const shrank = sql`new_size < old_size`;
const dearer = sql`${shrank} and unit_price_now > old_unit_price`;
const { names: routes } = packChanges.columns.find(({ name }) => name === 'route') as { names: Record<string, string> };

export const shrinkflationPage = page(asked, {
  path: '/shrinkflation',
  nav: 'Shrinkflation',
  async title({ ask, count, parameters }) {
    const packs = await count({ shrank, dearer }, { given: { what: 'both' } });
    const { region, since = sql`${lastDerived(region)} - ${usualNights - 1}::int` } = parameters;
    const [nights] = await ask({
      caption: 'The night from which on changes are known',
      columns: fields('first_night'),
      sql: sql`select greatest((${since})::date, ${firstDerived(region)}) as first_night`,
    });
    const first = nights?.first_night;
    const span = `${await inCategory({ ask }, parameters)}${first ? ` since ${longDate(first)}` : ''}`;
    const cost = plural(packs.dearer, 'costs', 'cost');
    if (parameters.what === 'grew') return `${plural(packs.all_rows - packs.shrank, 'pack')} grew${span}`;
    return packs.shrank === 0
      ? `No pack shrank${span}`
      : `${plural(packs.shrank, 'pack')} shrank${span}; ${cost} more per unit now`;
  },
  lead: () =>
    'The line shows the price per unit, the bar what is left of the pack. ' +
    'Prices per unit follow from price and pack here; the shop rounds its own.',
  blocks: [
    chips('what', 'Packs that', { both: 'Both', shrank: 'Shrank', grew: 'Grew' }),
    filters('category', 'words', 'route', 'since', 'sort'),
    products({
      title: 'Packs',
      drawn: 'unit',
      sign: (row) => Number(row.unit_price_effect_pct),
      below: (row) => (
        <span>
          since {shortDate(row.snapshot_date)}, {routes[row.route]}
          {row.former_product_id !== null && (
            <>
              , before it{' '}
              <a href={productHref(row.region, row.former_product_id)}>
                {text(row.former_title ?? row.former_product_id)}
              </a>
            </>
          )}
        </span>
      ),
      cells: [
        {
          heading: 'Pack',
          show: ({ old_size, new_size, unit, size_change_pct }) => (
            <>
              {packSize(old_size, unit)} → <b>{packSize(new_size, unit)}</b>
              <Bar share={Math.min(1, Number(new_size) / Number(old_size))} kind="kept" rest="lost" />
              <small>{percent(size_change_pct)}</small>
            </>
          ),
        },
        { heading: 'Per unit now', isPrice: true, show: (row) => <UnitPrices of={row} /> },
      ],
    }),
  ],
});

function perUnit(price: string | null, { unit, currency }: Pack): string {
  if (price === null) return nothing;
  const minor = currency === 'GBP' ? 'p' : 'c';
  const amount =
    Number(price) < 1 ? `${(100 * Number(price)).toFixed(1)}${minor}` : money(Number(price).toFixed(2), currency);
  return `${amount} / ${perUnits[unit] ?? unit}`;
}

/** The price of a unit now, before the change, and after it where that differs. */
function UnitPrices({ of: row }: { of: Pack }) {
  const { old_unit_price: old, new_unit_price: after, unit_price_now: now, unit_price_effect_pct: effect } = row;
  if (now === null) return <small>{`${perUnit(old, row)} → ${perUnit(after, row)}; not sold now`}</small>;
  const isOther = after !== null && Math.abs(Number(after) - Number(now)) > 0.00501;
  return (
    <>
      <span class="price">
        {perUnit(now, row)} <Change percent={isOther ? old && 100 * (Number(now) / Number(old) - 1) : effect} />
      </span>
      <small>was {perUnit(old, row)}</small>
      {isOther && <small>{perUnit(after, row)} after the change</small>}
    </>
  );
}
