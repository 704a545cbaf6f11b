-- With the rights of its owner: reports read marts only, and this can only find. A corrected word is found without an
-- extension, which not every server lets its users create.
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
  with size as materialized (
    -- An amount with its unit, as in "milk 2 L", chooses among what the other words find.
    select
      '(^|[^\d.])' || replace(replace(parts[2], ',', '.'), '.', '\.') || '\s*'
        || case lower(left(parts[3], 2)) when 'l' then '(l|ltr|litres?)' when 'lt' then '(l|ltr|litres?)'
             when 'li' then '(l|ltr|litres?)' when 'g' then '(g|grams?)' when 'gr' then '(g|grams?)'
             else parts[3] end
        || '\M' as pattern
    from regexp_matches(find_products.words,
      '(^|[^\d.,])(\d+(?:[.,]\d+)?)\s*(ml|cl|l|ltr|litres?|g|grams?|kg|pints?)\M', 'gi') as parts
  ), plain as materialized (
    select case when rest ~ '[[:alnum:]]' then rest else find_products.words end as text,
      rest ~ '[[:alnum:]]' as has_rest
    from regexp_replace(find_products.words,
      '(^|[^\d.,])(\d+(?:[.,]\d+)?)\s*(ml|cl|l|ltr|litres?|g|grams?|kg|pints?)\M', '\1 ', 'gi') as rest
  ), asked as (
    select lexeme as word, positions[1] as place
    from plain,
    -- The expression of product_by_words (src/db/functions/index-products.sql), which takes hyphened words apart, too.
      unnest(to_tsvector('simple',
        regexp_replace(normalize(translate(replace(regexp_replace(translate(plain.text, '<>-', '   '),
          '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')))
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
  ), spelled as (
    select word, place, form from form
    union
    -- Two words may be one in titles: corn flakes.
    select part.word, part.place, first.word || second.form
    from asked first
    join form second on second.place = first.place + 1
    join asked part on part.place in (first.place, second.place)
    where first.word ~ '^[[:alpha:]]{3,}$' and second.form ~ '^[[:alpha:]]{3,}$'
    union
    -- And one may be two.
    select word, place, left(form, cut) || ' ' || substr(form, cut + 1)
    from form
    cross join lateral generate_series(3, length(form) - 3) as cut
    where form ~ '^[[:alpha:]]{6,20}$'
      and exists (select from derived.title_word where title_word.word = left(form, cut))
      and exists (select from derived.title_word where title_word.word = substr(form, cut + 1))
    union
    -- A word that no title has, nor any that begins so, stands for the three that are most like it.
    select asked.word, asked.place, near.nearest
    from asked
    cross join lateral marts.nearest_words(asked.word) as near
    where near.likeness >= 0.5
      and not exists (
        select from form join derived.title_word known on known.word = form.form where form.word = asked.word)
  ), choice as (
    select
      word,
      place,
      '(' || string_agg('(''' || replace(replace(replace(form, '\', '\\'), '''', ''''''), ' ', ''' <-> ''') || ''')',
        '|') || ')' as whole,
      '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*' as beginning,
      string_agg(regexp_replace(form, '([^[:alnum:]])', '\\\1', 'g'), '|') as pattern
    from spelled
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
      and to_tsvector('simple',
        case
          when octet_length(p.title || coalesce(p.brand, '')) = length(p.title || coalesce(p.brand, ''))
            and strpos(p.title || coalesce(p.brand, ''), '&') = 0 then p.title || ' ' || coalesce(p.brand, '')
          else regexp_replace(normalize(translate(replace(regexp_replace(p.title || ' ' || coalesce(p.brand, ''),
            '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')
        end)
        @@ wanted.whole_query
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
    where p.region = find_products.region
      and (
        to_tsvector('simple',
          case
            when octet_length(p.title || coalesce(p.brand, '')) = length(p.title || coalesce(p.brand, ''))
              and strpos(p.title || coalesce(p.brand, ''), '&') = 0 then p.title || ' ' || coalesce(p.brand, '')
            else regexp_replace(normalize(translate(replace(regexp_replace(p.title || ' ' || coalesce(p.brand, ''),
              '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')
          end)
          @@ wanted.query
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
  ), result as materialized (
    select found.product_key, found.relevance + coalesce(standing.relevance, 0) as relevance
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
    select member.product_key, max(case when shelf.relevance = 0 then 0 else 3 + shelf.relevance end)
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
  ), sized as materialized (
    select result.product_key
    from result
    join catalog.product p using (product_key)
    where (select has_rest from plain) and exists (select from size)
      and not exists (select from size where p.title !~* size.pattern)
  )
  select result.product_key, result.relevance::smallint
  from result
  where result.product_key in (select sized.product_key from sized) or not exists (select from sized);
end;

revoke execute on function marts.find_products(text, text) from public;

comment on function marts.find_products(text, text) is
  'Products of a region whose title and brand have all the words, each as the beginning of a word (''semi skim'' '
  'finds Semi Skimmed Milk), in the singular or the plural, or whose id, base product number or barcode it is, with '
  'or without leading zeros. relevance is 12 for a code, 9 where the title ends with the last word before its amount '
  '(Whole Milk 2L for ''milk''), 6 where whole words agree, 3 where beginnings do. It is 2 more in a category that is '
  'called so (Milk, Butter & Eggs), or 1 more in one whose name ends so (Breakfast Cereals, not Cereal Bars, for '
  '''cereal''). If no title ends so, the products of such categories are found, too, with 5 and 4 (loaves for '
  '''bread'', before Breaded Fish), or with 9 if the words are its whole name (Cheddar for ''cheese'', before Cheese & '
  'Onion Crisps), and if no title has the words, those of any category whose name has them, with 0. '
  'An amount such as 2l is kept to if a product has it, and otherwise ignored. A word that no title has stands for '
  'those most like it; corn flakes is cornflakes, yoghurt is yogurt. Accents and kinds of apostrophes make no '
  'difference, & is the word and, M&S is one word. Products that are gone are found, too. As products are now; '
  'join product_now or dim_product by product_key.';
