import type { RegionCode } from '../../base/model/index.ts';
import { fields } from '../../questions/columns.ts';
import type { Ask, Question } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
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

/** Fills the products of examples in; an example that needs one is empty as long as the book is. */
async function exampleAddress(ask: Ask) {
  const { rows } = await ask(examplesIn('uk').sql).catch(() => ({ rows: [] }));
  const ids = rows.map((row) => String(row['product_id']));
  return (path: string, example: string) => {
    const filled = example.replace('{products}', ids.join()).replace('{product}', ids[0] ?? '');
    return filled === '' || filled.endsWith('=') ? path : `${path}?${filled}`;
  };
}

/** Address of the example of a question, by what it asks. */
export async function exampleIn(ask: Ask, { name }: Question, path: string): Promise<Record<string, string>> {
  const [, example = '', asked = name] = textsOf(name);
  return { [asked]: (await exampleAddress(ask))(path, example) };
}

/** Every question with its page, by what it is for. */
export async function allQuestions(ask: Ask, pathOf: (name: string) => string) {
  const addressOf = await exampleAddress(ask);
  return {
    title: 'All questions',
    about: 'Every question that pages, commands, the API and assistants answer alike.',
    lead: 'Each question opens with an example. Below it are its page, and its command, which is its name in the API.',
    children: (
      <div class="cards">
        {Object.entries(groups).map(([purpose, group]) => (
          <Card key={purpose} title={purpose}>
            <ul class="stack">
              {Object.entries(group).map(([name, [title, example = '', asked]]) => (
                <li key={name}>
                  <a href={addressOf(pathOf(name), example)}>{asked}</a>
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
