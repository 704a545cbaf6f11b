import type { JSX } from 'preact';
import type { AvailabilitySpell, ProductFacts } from '../../questions/product.ts';
import { compareHref, searchOf } from '../kernel/addresses.ts';
import { Thumb } from '../kernel/icons.tsx';
import { Badge, Chips } from '../kernel/parts.tsx';
import { availabilityWords } from '../kernel/products.tsx';
import { badgeWords, verdictOf } from '../kernel/verdicts.ts';
import { longDate, money, packSize, rounded, text, unitName } from '../kernel/words.ts';
import { Crumbs } from './category-links.tsx';
import { dataOf, type ProductPage } from './product-data.ts';

/** Name, shelf and facts of the product, and its prices as labels of a shelf. */
export async function head(shown: ProductPage): Promise<JSX.Element> {
  const { facts, trail, byUnit, running, availability } = await dataOf(shown);
  const isSold = facts.availability === 'available';
  const { region, product_id: product, currency, price, loyalty_price: members, unit_price: unit } = facts;
  const per = `per ${unitName(facts.unit_of_measure)}`;
  const perUnit = (part: number) => (unit ? [rounded(Number(unit) * part, currency), per] : []);
  // Of what is sold by weight, an offer may name the price per kilogram only.
  const offered = isSold && !members && byUnit.find(({ has_ended }) => !has_ended)?.reduced_price;
  const labels: [string, string | null, string[]][] = offered
    ? [
        ['Shelf', unit, [per, ...(Number(price) === Number(unit) ? [] : [`${money(price, currency)} each`])]],
        ['Members', offered, [per]],
      ]
    : [[isSold ? 'Shelf' : 'Last price', price, perUnit(1)]];
  if (isSold && members) labels.push(['Members', members, perUnit(Number(members) / Number(price))]);
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
            {facts.on_promotion && isSold && <Badge kind="offer">On offer</Badge>}
            {running && isSold && (
              <Badge kind={verdictOf(running.verdict_label)}>{badgeWords(running, running.title)}</Badge>
            )}
          </p>
          <Chips label="What to do with it" of={[['Compare', compareHref(region, product)]]} />
          {!isSold && <p class="warn">{notForSale(availability)}</p>}
        </div>
        <div class="labels">
          {labels.map(([who, amount, lines], i) => (
            <p key={who} class={i === 0 ? 'shelf-label' : 'shelf-label offer'}>
              {(labels.length > 1 || !isSold) && <span class="for">{who}</span>}
              <span class="amount">{money(amount, currency)}</span>
              <span class="per">{lines.flatMap((line) => [<br />, line]).slice(1)}</span>
            </p>
          ))}
        </div>
      </div>
    </>
  );
}

/** Since when a product is out of stock or gone. Spells are newest first. */
function notForSale(spells: readonly AvailabilitySpell[]): string {
  const sold = spells.find(({ availability }) => availability === 'available')?.valid_to;
  return `Not for sale since ${sold ? `the night of ${longDate(sold)}` : 'it was first listed'}.`;
}

/** `6 x 330 ml`; null: the pack is unknown. */
export function packOf({ pack_size, pack_measure, pack_count }: ProductFacts): string | null {
  if (pack_size === null) return null;
  const pieces = pack_count === null || pack_count === 1 || pack_measure === 'each' ? '' : `, ${pack_count} pieces`;
  return `${packSize(pack_size, pack_measure ?? '')}${pieces}`;
}
