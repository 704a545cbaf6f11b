import { watchRules } from '../base/model/watch-rule.ts';
import { amount, choice, RegionParameter, Since, textUpTo, Until } from './parameters.ts';
import { cut, defineQuestion, earlier, fields } from './question.ts';
import { sql } from './sql.ts';

export const watch = defineQuestion({
  parameters: {
    region: RegionParameter,
    product: textUpTo(2_000, 1).meta({ description: 'the product: its id or the address of its page' }),
    rule: choice(watchRules, 'only this rule (default: all; below needs an amount)'),
    amount: amount().meta({ description: 'for below: this price or less' }),
    since: Since,
    until: Until,
  },
  columns: [
    ...fields('snapshot_date', 'region', 'product_id', 'title', 'rule'),
    { name: 'event', heading: 'What happened', as: 'sentence' },
    ...fields('price', 'currency', 'product_key'),
  ],
  table: () => ['snapshot_date', 'product_id', 'title', 'rule', 'event', 'price'],
  isDerived: true,
  pin: (parameters, nights) => ({ ...parameters, until: earlier(parameters.until, nights[parameters.region]) }),
  sql: ({ region, product, rule, amount: most, since, until }, part) => {
    // A rule below without an amount never comes true.
    const rules = rule === undefined ? watchRules : [rule];
    return sql`
    select e.snapshot_date, e.region, e.product_id, e.title, e.rule, e.event, e.price, e.currency, e.product_key
    from (
      select array_agg(p.product_key order by p.product_key, rule) as product_keys,
        array_agg(rule order by p.product_key, rule) as rules,
        array_agg(case when rule = 'below' then ${most ?? null}::numeric end order by p.product_key, rule) as amounts
      from marts.dim_product p
      cross join unnest(${rules}::text[]) as rule
      where p.region = ${region} and p.product_id = ${product ?? null}
    ) as asked
    cross join lateral marts.watch_events(
      asked.product_keys, asked.rules, asked.amounts, ${since ?? null}::date, ${until ?? null}::date) as e
    order by e.snapshot_date desc, e.rule, e.product_key
    ${cut(part)}`;
  },
  none: ({ product, rule, amount: most }) => {
    if (product === undefined) return 'Name a product.';
    if (rule === 'below' && most === undefined) return 'Say which price to wait for: --amount 1.50.';
    return 'Nothing of the kind happened on a certified night.';
  },
});
