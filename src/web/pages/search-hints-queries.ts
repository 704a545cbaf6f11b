import type { RegionCode } from '../../base/model/index.ts';
import { fields } from '../../questions/question.ts';
import { type Sql, sql } from '../../questions/sql.ts';
import type { CategoryOption } from '../category-choice.tsx';
import type { Query } from '../page.ts';

export interface NamedCategory extends Omit<CategoryOption, 'region' | 'other_key'> {
  /** Number of all categories of that name. */
  readonly matches: number;
}

/** A word that no title has, and one that is like it. */
export interface Meant {
  readonly word: string;
  readonly nearest: string;
}

export interface Try {
  readonly words: string;
  readonly products: string;
}

/** What else might be meant by words: categories, words of titles, and fewer words. */
export function hintQueries(q: string | undefined, region: RegionCode) {
  return {
    named: {
      caption: 'Categories of that name',
      sql: sql`
        select c.category_key, c.path, count(*) over ()::int as matches
        from marts.dim_category c
        where c.region = ${region} and c.gone_at is null and ${q === undefined ? sql`false` : hasInItsName(q)}
        -- Breakfast Cereals before Cereal Bars.
        order by
          strpos(rtrim(lower(c.name), 's ') || ';', rtrim(lower(${q ?? ''}), 's ') || ';') = 0,
          length(c.name), c.path
        limit 4`,
      columns: [{ name: 'path', heading: 'Category' }],
      none: 'No category has these words in its name.',
    } as Query<NamedCategory>,
    tries: {
      caption: 'Simpler searches, if nothing is found',
      sql: sql`
        select attempt.words, count(*) as products
        from unnest(${simpler(q)}::text[]) with ordinality as attempt (words, place)
        cross join lateral marts.find_products(${region}, attempt.words) as other
        join marts.product_now n on n.product_key = other.product_key
          and n.availability in ('available', 'unavailable')
        where not exists (select from marts.find_products(${region}, ${q ?? ''}))
        group by attempt.words, attempt.place
        order by attempt.place`,
      columns: [...fields('words'), { name: 'products', as: 'number' }],
      none: 'Something is found, or no simpler search finds anything.',
    } as Query<Try>,
    meant: {
      caption: 'Words like those that no title has',
      sql: sql`
        select word, near.nearest
        from regexp_split_to_table(${plainLetters(q)}, '[^[:alpha:]]+') with ordinality as asked (word, place)
        cross join lateral marts.nearest_words(word) as near
        -- Plurals are found, too.
        where near.likeness >= 0.5 and rtrim(near.nearest, 's') <> rtrim(lower(word), 's')
        order by place, near.likeness desc, near.nearest`,
      columns: fields('word', 'nearest'),
      none: 'Titles have all the words.',
    } as Query<Meant>,
  };
}

/** Categories with all the words, each in the singular or the plural. */
function hasInItsName(words: string): Sql {
  return sql`not exists (
            select from regexp_split_to_table(lower(${words}), '[^[:alnum:]]+') as word
            where word <> ''
              and c.name !~* ('\\m' || regexp_replace(word, '(ies|y|e?s)$', '') || '(e|s|es|y|ies)?\\M'))`;
}

/** Without accents, as titles are searched. */
function plainLetters(words = ''): string {
  return words.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

/** Words that might be meant if none is found: the words as one, then each of them. */
function simpler(words: string | undefined): string[] {
  const each = words?.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word)) ?? [];
  return each.length < 2 || each.length > 4 ? [] : [each.join(''), ...each];
}
