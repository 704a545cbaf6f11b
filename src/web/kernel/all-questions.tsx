import type { RegionCode } from '../../base/model/index.ts';
import { fields } from '../../questions/columns.ts';
import type { Ask, Question } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import purposes from './all-questions.json' with { type: 'json' };
import { Card } from './parts.tsx';
import { capital } from './words.ts';

/** Title, example, what people ask and a page says first, of each question by what it is for; `{product}` is an id. */
const groups = purposes as unknown as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
const textsOf = (name: string) => Object.values(groups).flatMap((group) => group[name] ?? []);

/** Title of the page of a question, and what it says below its heading. */
export const titleOf = ({ name, about }: Pick<Question, 'name' | 'about'>) => textsOf(name)[0] ?? capital(about);
export const leadOf = ({ name, about }: Pick<Question, 'name' | 'about'>) => textsOf(name)[3] ?? `${capital(about)}.`;

/** Products for examples. */
export const examplesIn = (region: RegionCode) => {
  const [here, there] = region === 'uk' ? [sql`uk`, sql`ie`] : [sql`ie`, sql`uk`];
  return {
    caption: 'Products for sale in both regions, each of another kind, what most people buy first',
    columns: fields('product_id', 'title'),
    sql: sql`
      select product_id, title
      from (
        select distinct on (coalesce(word, own.own_category_key::text)) word, own.product_id, own.title
        from (select * from marts.region_match where tier < 3 order by uk_product_key limit 1000) as m
        join marts.product_now own on own.product_key = m.${here}_product_key and own.availability = 'available'
        join marts.product_now twin on twin.product_key = m.${there}_product_key and twin.availability = 'available'
        cross join lateral (
          select substring(lower(own.title) from '(whole milk|bread|eggs|bananas|coffee) (?:loose|[0-9])') as word
        ) as staple
        order by coalesce(word, own.own_category_key::text), length(own.title), m.uk_product_key
      ) as example
      order by word is null, product_id
      limit 5`,
  };
};

/** Every question with its page, by what it is for. */
export async function allQuestions(ask: Ask, pathOf: (name: string) => string) {
  const idsOf = async (statement: Sql) =>
    (await ask(statement).catch(() => ({ rows: [] }))).rows.map((row) => String(row['product_id']));
  const products = await idsOf(examplesIn('uk').sql);
  const reduced = await idsOf(sql`
    select product_id from marts.fct_promotion_check
    where region = 'uk' and verdict_label = 'real' order by snapshot_date desc, product_key limit 5`);
  const ids = { product: products[0], products: products.join(), reduced: reduced.join() || products.join() };
  return {
    title: 'All questions',
    about: 'Every question that pages, commands, the API and assistants answer alike.',
    lead: 'Each question opens with an example. Below it are its page and its command; the API gives the same rows.',
    children: (
      <div class="cards">
        {Object.entries(groups).map(([purpose, group]) => (
          <Card key={purpose} title={purpose}>
            <ul class="stack">
              {Object.entries(group).map(([name, [title, example = '', asked]]) => (
                <li key={name}>
                  <a href={exampleOf(pathOf(name), example, ids)}>{asked}</a>
                  <div class="sub">
                    {title} <code>{name}</code>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    ),
  };
}

/** Address of an example; one that needs a product is empty as long as the book is. */
function exampleOf(path: string, example: string, ids: Readonly<Record<string, string | undefined>>): string {
  const filled = example.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? '');
  return filled === '' || filled.endsWith('=') ? path : `${path}?${filled}`;
}
