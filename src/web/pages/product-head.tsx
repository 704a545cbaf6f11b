import type { JSX } from 'preact';
import type { AvailabilitySpell, ProductFacts } from '../../questions/product.ts';
import { compareHref, searchOf } from '../kernel/addresses.ts';
import { Thumb } from '../kernel/icons.tsx';
import { Badge, Chips } from '../kernel/parts.tsx';
import { availabilityWords } from '../kernel/products.tsx';
import { longDate, money, packSize, rounded, text, unitName } from '../kernel/words.ts';
import { Crumbs } from './category-links.tsx';
import { dataOf, type ProductPage } from './product-data.ts';

/** Name, shelf and facts of the product, and its prices as labels of a shelf. */
export async function head(shown: ProductPage): Promise<JSX.Element> {
  const { facts, trail, byUnit, availability } = await dataOf(shown);
  const out = notForSaleSince(availability);
  const { region, product_id: product, currency, price, loyalty_price: members, unit_price: unit } = facts;
  const labels: [string, string | null, string | null][] = [['Shelf', price, unit && rounded(Number(unit), currency)]];
  // Of what is sold by weight, an offer may name the price per kilogram only.
  const part = members ? Number(members) / Number(price) : byUnit && Number(byUnit.reduced_price) / Number(unit);
  const amount = members ?? (Number(price) * (part ?? 1)).toFixed(2);
  if (part) labels.push(['Members', amount, unit && rounded(Number(unit) * part, currency)]);
  return (
    <>
      <Crumbs
        of={trail.map(({ category_id, name }) => [name, `/find${searchOf({ region, category: category_id })}`])}
      />
      <div class="buy">
        <Thumb department={trail[0]?.name ?? null} title={facts.title} />
        <div>
          <h1>{text(facts.title ?? product)}</h1>
          <p class="sub">
            {facts.brand !== null && (
              <a href={`/find${searchOf({ region, words: facts.brand })}`}>{text(facts.brand)}</a>
            )}
            {packOf(facts) !== null && <span>{packOf(facts)}</span>}
            <span>{availabilityWords(facts.availability)}</span>
            {facts.on_promotion && <Badge kind="offer">On offer</Badge>}
          </p>
          <Chips label="What to do with it" of={[['Compare', compareHref(region, product)]]} />
          {out && <p class="warn">Not for sale since the night of {longDate(out)}: the price is the last known.</p>}
        </div>
        <div class="labels">
          {labels.map(([who, amount, each], i) => (
            <p key={who} class={i === 0 ? 'shelf-label' : 'shelf-label offer'}>
              {labels.length > 1 && <span class="for">{who}</span>}
              <span class="amount">{money(amount, currency)}</span>
              {each !== null && (
                <span class="per">
                  {each}
                  <br />
                  per {unitName(facts.unit_of_measure)}
                </span>
              )}
            </p>
          ))}
        </div>
      </div>
    </>
  );
}

/** First night since which the product is out of stock or gone, if it is. Spells are newest first. */
function notForSaleSince(spells: readonly AvailabilitySpell[]): string | undefined {
  const sold = spells.findIndex(({ availability }) => availability === 'available');
  return (sold < 0 ? spells : spells.slice(0, sold)).at(-1)?.valid_from;
}

/** `6 x 330 ml`; null: the pack is unknown. */
export function packOf({ pack_size, pack_measure, pack_count }: ProductFacts): string | null {
  if (pack_size === null) return null;
  const pieces = pack_count === null || pack_count === 1 || pack_measure === 'each' ? '' : `, ${pack_count} pieces`;
  return `${packSize(pack_size, pack_measure ?? '')}${pieces}`;
}
