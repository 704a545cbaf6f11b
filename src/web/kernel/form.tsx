import type { JSX } from 'preact';
import { z } from 'zod';
import { fields } from '../../questions/columns.ts';
import { sql } from '../../questions/sql.ts';
import type { Shown } from './page.ts';
import { capital, text, unsnaked } from './words.ts';

/** What a form needs of the JSON schema of a parameter. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A labelled field of a parameter; its kind follows from the zod type, its words from the type's `.meta`. */
export async function control<Row, Parameters>(page: Shown<Row, Parameters>, name: string): Promise<JSX.Element> {
  const { parameters } = page.question;
  const type = parameters.shape[name] as z.ZodType;
  const { description = '', ...meta } = type.meta() ?? {};
  const { label = capital(unsnaked(name)), names = {} } = meta as {
    label?: string;
    names?: Readonly<Record<string, string>>;
  };
  // The JSON Schema, because zod documents no other way to read a type.
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
  const schema = (properties[name] ?? {}) as Schema;
  const value = page.written[name] ?? String(schema.default ?? '');
  const field = { name, label, value };
  if (name === 'category') return <Choice {...field} options={await categories(page)} />;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (values.length > 0) {
    const isOpen = schema.default === undefined && !required.includes(name);
    const none = isOpen ? { '': names[''] ?? (name === 'region' ? 'both' : 'any') } : {};
    const options = values.map((each) => [each, names[each] ?? unsnaked(each)]);
    return <Choice {...field} options={{ ...none, ...Object.fromEntries(options) }} />;
  }
  const { minimum: min = 0, maximum: max } = schema;
  const isWhole = schema.type === 'integer' && max !== undefined;
  // A date with a second rule does not say in its JSON Schema that it is one.
  const isDate = type.safeParse('2026-03-01').success && !type.safeParse('words').success;
  const isNumber = schema.type === 'number' || (type.safeParse('1.5').success && !type.safeParse('words').success);
  const kind = isDate ? 'date' : isWhole || isNumber ? 'number' : 'search';
  const placeholder = /(?:\(default: |such as |ids[^:]*: |the product: )([^()]+)\)?$/.exec(description)?.[1];
  const limits = kind === 'number' ? (isWhole ? { step: 1, min, max } : { step: 'any', min: 0 }) : {};
  return (
    <label for={`field-${name}`}>
      {label}
      <input id={`field-${name}`} {...{ name, value, placeholder, type: kind as 'search', ...limits }} />
    </label>
  );
}

type ChoiceProps = Record<'name' | 'label' | 'value', string> & { options: Readonly<Record<string, string>> };

function Choice({ name, label, value, options }: ChoiceProps): JSX.Element {
  // Adds the current value if it is not among the options, so that the form matches the page.
  const shown = Object.hasOwn(options, value) ? options : { ...options, [value]: text(value) };
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(shown).map(([option, title]) => (
          <option key={option} value={option} selected={option === value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Two levels of categories, and the chosen one with those above and below it; an id is the same in both regions. */
async function categories<Row, Parameters>({ ask, written }: Shown<Row, Parameters>): Promise<Record<string, string>> {
  const { category: chosen = '', region = 'uk' } = written;
  const rows = await ask({
    caption: 'Categories to choose from',
    columns: fields('category_id', 'path'),
    sql: sql`
      with recursive above as (
        select category_key, parent_key from marts.dim_category where category_id = ${chosen} and region = ${region}
        union
        select c.category_key, c.parent_key
        from marts.dim_category c
        join above on above.parent_key = c.category_key
      )
      select distinct category_id, path
      from marts.dim_category c
      where region = ${region} and gone_at is null and (
        depth <= 1 or category_key in (select category_key from above) or parent_key in (
          select category_key from marts.dim_category where category_id = ${chosen} and region = ${region}))
      order by path
      limit 500`,
  });
  return { '': 'all', ...Object.fromEntries(rows.map(({ category_id, path }) => [category_id!, text(path)])) };
}
