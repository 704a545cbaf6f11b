-- With the rights of its owner: reports read marts only, and this can only find.
create function marts.find_products(region text, words text)
returns table (product_key integer, relevance smallint)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set jit = off
rows 500
begin atomic
  with asked as (
    select lexeme as word, positions[1] as place
    -- An amount is one word with its unit; hyphened words are two.
    from unnest(to_tsvector('simple', catalog.search_text(regexp_replace(translate(find_products.words, '<>-', '   '),
      '(\d)\s+(ml|cl|l|g|kg)\M', '\1\2', 'gi'), null)))
  ), variant as (
    select word, place, word as variant from asked
    union
    -- Two spellings of one word, of which titles use either.
    select word, place, other || substr(word, length(one) + 1)
    from asked
    join (values
      ('yoghurt', 'yogurt'), ('yogurt', 'yoghurt'), ('chilli', 'chili'), ('chili', 'chilli'), ('whisky', 'whiskey'),
      ('whiskey', 'whisky'), ('houmous', 'hummus'), ('hummus', 'houmous'), ('doughnut', 'donut'),
      ('donut', 'doughnut')) as twin (one, other) on starts_with(word, one)
  ), form as (
    -- Each word in singular and plural, because titles use either.
    select asked.word, asked.place, other.form
    from variant as asked
    cross join lateral (values
      (asked.variant),
      (case when asked.variant ~ '.{2}ies$' then left(asked.variant, -3) || 'y' end),
      (case when asked.variant ~ '.{2}ves$' then left(asked.variant, -3) || 'f' end),
      (case when asked.variant ~ '.{2}es$' then left(asked.variant, -2) end),
      (case when asked.variant ~ '.{2}[^s]s$' then left(asked.variant, -1) end),
      (case when asked.variant ~ '.{2}[^aeiou]y$' then left(asked.variant, -1) || 'ies' end),
      (case when asked.variant ~ '.{2}f$' then left(asked.variant, -1) || 'ves' end),
      (case when asked.variant ~ '[[:alpha:]]{3}' then asked.variant || 's' end),
      (case when asked.variant ~ '[[:alpha:]]{3}' then asked.variant || 'es' end)) as other (form)
    where other.form is not null
  ), choice as (
    select
      word,
      place,
      '(' || string_agg('(''' || replace(replace(form, '\', '\\'), '''', '''''') || ''')',
        '|') || ')' as whole,
      '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*' as beginning,
      string_agg(regexp_replace(form, '([^[:alnum:]])', '\\\1', 'g'), '|') as pattern
    from form
    group by word, place
  ), wanted as materialized (
    select
      btrim(find_products.words) as code,
      string_agg('(' || whole || '|' || beginning || ')', '&')::tsquery as query,
      string_agg(whole, '&')::tsquery as whole_query,
      -- What a title is about stands before its amount: milk in Whole Milk 2L, not in Milk Chocolate 100g. A category
      -- is about the last word of each part of its name: biscuits and bars in Biscuits & Cereal Bars, not cereal.
      ' (' || (array_agg(pattern order by place desc))[1] || ') ([^a-z]|x\d|loose|$)' as about,
      '(^|[,&])\s*' || string_agg('(' || pattern || ')', ' ' order by place) || '\s*($|[,&])' as called,
      '^\s*' || string_agg('(' || pattern || ')', ' ' order by place) || '\s*$' as name
    from choice
  ), whole as materialized (
    select p.product_key
    from catalog.product p, wanted
    where p.region = find_products.region
      and to_tsvector('simple', catalog.search_text(p.title, p.brand)) @@ wanted.whole_query
  ), found as materialized (
    select
      p.product_key,
      (case
        when p.product_id = wanted.code or p.tpnb = wanted.code or p.gtin = lpad(wanted.code, 14, '0') then 12
        when p.product_key not in (select whole.product_key from whole) then 3
        -- Where a word is a brand of a third of the products, what each is about would take longer than the rest.
        when (select count(*) from whole) <= 20000 and replace(p.title, ' & ', ' and ') || ' ' ~* wanted.about then 9
        else 6
      end) as relevance
    from catalog.product p, wanted
    where p.region = (select ops.known_region(find_products.region))
      and (
        to_tsvector('simple', catalog.search_text(p.title, p.brand)) @@ wanted.query
        or p.product_id = wanted.code
        or p.tpnb = wanted.code
        or p.gtin = lpad(wanted.code, 14, '0')
      )
  ), shelf as materialized (
    -- Categories with the words in their names, and those below: 6 if that is all of a name, 2 if one is called so,
    -- 1 if one is about it.
    select below.category_key,
      max(case
        when named.name ~* wanted.name then 6
        when named.name ~* wanted.called then 2
        when ' ' || replace(named.name, ',', ' ,') || ' ' ~* wanted.about then 1
        else 0
      end) as relevance
    from wanted
    join catalog.category named
      on named.region = find_products.region and to_tsvector('simple', named.name) @@ wanted.query
    join catalog.category_ancestor below on below.ancestor_key = named.category_key
    group by below.category_key
  ), result as (
    select found.product_key, 2 * (found.relevance + coalesce(standing.relevance, 0)) as relevance
    from found
    left join lateral (
      select least(coalesce(max(shelf.relevance), 0), 2) as relevance
      from catalog.product_category member
      join shelf using (category_key)
      where member.product_key = found.product_key and member.valid_to is null
        and (select count(*) from whole) <= 20000
    ) as standing on true
    union all
    -- What people call a product may stand above its shelf alone: no loaf is called bread, and no title has "cereal".
    select member.product_key, max(case when shelf.relevance = 0 then -1 else 5 + 2 * shelf.relevance end)
    from shelf
    join catalog.product_category member on member.category_key = shelf.category_key and member.valid_to is null
    where case
        when exists (select from found)
          then shelf.relevance > 0 and not exists (select from found where found.relevance >= 9)
            and (select count(*) from whole) <= 20000
        else true
      end
      and not exists (select from found where found.product_key = member.product_key)
    group by member.product_key
  )
  select result.product_key, result.relevance::smallint
  from result;
end;

revoke execute on function marts.find_products(text, text) from public;

comment on function marts.find_products(text, text) is
  'Products of a region whose title and brand have all the words, each as the beginning of a word (''semi skim'' '
  'finds Semi Skimmed Milk), in the singular or the plural, or whose id, base product number or barcode it is, with '
  'or without leading zeros. relevance is 24 for a code, 18 where the title ends with the last word before its amount '
  '(Whole Milk 2L for ''milk''), 12 where whole words agree, 6 where beginnings do. It is 4 more in a category that is '
  'called so (Milk, Butter & Eggs), or 2 more in one whose name ends so (Breakfast Cereals, not Cereal Bars, for '
  '''cereal''). If no title ends so, the products of such categories are found, too, with the odd 9 and 7 (loaves for '
  '''bread'', before Breaded Fish), or with 17 if the words are its whole name (Cheddar for ''cheese'', before Cheese '
  '& Onion Crisps), and if no title has the words, those of any category whose name has them, with -1. '
  'yoghurt is yogurt. Accents and kinds of apostrophes make no difference, & is the word and, M&S is one word. '
  'Products that are gone are found, too. As products are now; join product_now or dim_product by product_key.';
