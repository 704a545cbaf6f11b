import { fields } from '../../questions/columns.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import { Chips } from '../kernel/parts.tsx';
import { text } from '../kernel/words.ts';
import type { FindPage } from './find.tsx';

/** Categories of the name that was searched for. */
export async function categoriesNamed({ ask, hrefWith, parameters: { words, region } }: FindPage) {
  if (words === undefined) return null;
  const categories = await ask({
    caption: 'Categories of that name',
    columns: fields('category_id', 'path'),
    sql: sql`
      select c.category_id, c.path
      from marts.dim_category c
      where c.region = ${region} and c.gone_at is null and ${hasInItsName(words)}
      -- Breakfast Cereals before Cereal Bars.
      order by
        strpos(rtrim(lower(c.name), 's ') || ';', rtrim(lower(${words}), 's ') || ';') = 0,
        length(c.name), c.path
      limit 4`,
  });
  if (categories.length === 0) return null;
  const links = categories.map(
    ({ category_id: category, path }) => [shortPath(path!), hrefWith({ category, words: null, sort: null })] as const,
  );
  return <Chips label="Categories of that name" said="Categories" of={links} />;
}

/** Categories with all the words, each in the singular or the plural. */
const hasInItsName = (words: string): Sql => sql`${words} ~ '[[:alnum:]]' and not exists (
        select from regexp_split_to_table(lower(${words}), '[^[:alnum:]]+') as word
        where word <> ''
          and c.name !~* ('\\m' || regexp_replace(word, '(ies|y|e?s)$', '') || '(e|s|es|y|ies)?\\M'))`;

/** `Soft Drinks › Cola`: the name and the one above it that says more. */
function shortPath(path: string): string {
  const names = path.split(' > ').map((name) => text(name.trim()));
  return names
    .filter((name, i) => name !== names[i + 1])
    .slice(-2)
    .join(' › ');
}
