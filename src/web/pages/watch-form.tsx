import type { JSX } from 'preact';
import { regions } from '../../base/model/index.ts';
import type { Moment, RefusedForm } from '../page.ts';
import { Card } from '../parts.tsx';
import { money, text } from '../words.ts';
import type { Asked } from './watch-queries.ts';
import { formRules, listName, nightsWords, rules } from './watch-words.tsx';

/** What the form of a rule is filled in with. */
export interface Given {
  readonly list?: string | undefined;
  readonly rule: (typeof formRules)[number];
  readonly amount?: string | undefined;
  readonly percent?: string | undefined;
  /** The rule that it replaces. */
  readonly change?: string | undefined;
}

/** Attributes of a field, if it was refused. */
export const faultOf = (refused: RefusedForm | null, field: string) =>
  refused?.field === field
    ? { 'aria-invalid': true as const, 'aria-describedby': `${field}-fault`, autofocus: true }
    : {};

/** Why a field was refused, beside it. */
export function Fault({ of: refused, field }: { of: RefusedForm | null; field: string }): JSX.Element | null {
  if (refused?.field !== field) return null;
  return (
    <span id={`${field}-fault`} class="bad" role="alert">
      {refused.line}
    </span>
  );
}

/** The lowest price known or, if that is the price now, 10% less. */
function suggestedAmount({ price, lowest }: Asked): string {
  if (price === null) return '';
  const isLower = lowest !== null && Number(lowest) < Number(price);
  return (isLower ? Number(lowest) : Math.max(0.01, 0.9 * Number(price))).toFixed(2);
}

/** Form that adds a rule. */
export function AddForm(props: { product: Asked; given: Given; lists: readonly string[]; at: Moment }): JSX.Element {
  const { product, given, lists, at } = props;
  const { region, product_id, title, price, lowest, nights, currency } = product;
  const amount = given.amount ?? (at.refused === null ? suggestedAmount(product) : '');
  return (
    <Card title={`Tell me about ${text(title)}`} aside={regions[region].name}>
      <p class="quiet">
        {price === null ? 'It has no price now.' : `${money(price, currency)} now`}
        {lowest !== null && `, ${money(lowest, currency)} at its lowest in ${nightsWords(nights)}`}
        {price !== null && '.'}
      </p>
      <form class="filters watching" method="post" action="/watch">
        <input type="hidden" name="_csrf" value={at.csrf ?? ''} />
        <input type="hidden" name="region" value={region} />
        <input type="hidden" name="product" value={product_id} />
        <input type="hidden" name="change" value={given.change ?? ''} />
        <label>
          When
          <select name="rule">
            {formRules.map((rule) => (
              <option key={rule} value={rule} selected={rule === given.rule}>
                {rules(nights)[rule]}
                {(rule === 'below' || rule === 'falls') && '…'}
              </option>
            ))}
          </select>
        </label>
        <label class="at-most">
          Amount in {currency === 'GBP' ? 'pounds' : 'euros'}
          <input name="amount" type="number" min="0.01" step="0.01" value={amount} {...faultOf(at.refused, 'amount')} />
          <Fault of={at.refused} field="amount" />
        </label>
        <label class="by">
          Percent
          <input
            name="percent"
            type="number"
            min="1"
            max="99"
            value={given.percent ?? '10'}
            {...faultOf(at.refused, 'percent')}
          />
          <Fault of={at.refused} field="percent" />
        </label>
        <label>
          List, any name
          <input
            name="list"
            value={listName(given.list ?? lists[0] ?? 'prices')}
            list="lists"
            maxLength={40}
            {...faultOf(at.refused, 'list')}
          />
          <Fault of={at.refused} field="list" />
        </label>
        <datalist id="lists">
          {lists.map((list) => (
            <option key={list} value={listName(list)} />
          ))}
        </datalist>
        <button type="submit">{given.change === undefined ? 'Watch it' : 'Save'}</button>
      </form>
    </Card>
  );
}
