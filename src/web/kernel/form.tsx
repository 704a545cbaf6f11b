import type { JSX } from 'preact';
import { z } from 'zod';
import { fields } from '../../questions/columns.ts';
import type { Question } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import type { Shown } from './page.ts';
import { capital, text, unsnaked } from './words.ts';

/** Label, description and default of a parameter, and names of the values to choose from, by value. */
export function fieldOf({ parameters }: Pick<Question, 'parameters'>, name: string) {
  const type = new Map(Object.entries(parameters.shape)).get(name) as z.ZodType | undefined;
  const meta = (type?.meta() ?? {}) as { description?: string; label?: string; names?: Record<string, string> };
  const { description = '', label = type ? capital(unsnaked(name)) : name, names = {} } = meta;
  // The JSON Schema, because zod documents no other way to read a type.
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
  const { enum: values = Object.keys(names), default: usual = '' } = (properties[name] ?? {}) as Partial<
    Record<'enum', string[]> & Record<'default', unknown>
  >;
  const isOpen = values.length > 0 && usual === '' && !required.includes(name);
  const none = isOpen ? { '': names[''] ?? (name === 'region' ? 'both' : 'any') } : {};
  const options = Object.fromEntries(values.map((each) => [each, names[each] ?? unsnaked(each)]));
  return { description, label, usual: String(usual), options: { ...none, ...options } };
}

/** A labelled field of a parameter; its kind follows from the zod type, its words from the type's `.meta`. */
export async function control<Row, Parameters>(page: Shown<Row, Parameters>, name: string): Promise<JSX.Element> {
  const { description, label, usual, options } = fieldOf(page.question, name);
  const type = page.question.parameters.shape[name] as z.ZodType;
  const value = page.written[name] ?? usual;
  const field = { name, label, value };
  if (name === 'category') return <Choice {...field} options={await categories(page)} />;
  if (Object.keys(options).length > 0) return <Choice {...field} options={options} />;
  const takes = (typed: string) => type.safeParse(typed).success && !type.safeParse('words').success;
  const kind = takes('2026-03-01') ? 'date' : takes('1') ? 'number' : 'search';
  const placeholder = /(?:\(default: |such as |ids[^:]*: |the product: )([^()]+)\)?$/.exec(description)?.[1];
  const limits = kind === 'number' ? { step: 'any', min: 0 } : {};
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
      select distinct c.category_id, c.path
      from marts.dim_category c
      left join marts.dim_category chosen on chosen.category_id = ${chosen} and chosen.region = ${region}
      where c.region = ${region} and c.gone_at is null and (
        c.depth <= 1 or starts_with(chosen.path || ' > ', c.path || ' > ') or c.parent_key = chosen.category_key)
      order by path
      limit 500`,
  });
  return { '': 'all', ...Object.fromEntries(rows.map(({ category_id, path }) => [category_id!, text(path)])) };
}
