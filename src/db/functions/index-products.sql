-- Creates the indexes by which products are searched and matched, once. From the start they would cost the first night
-- 24 MB of WAL for 50,000 products instead of 3. Then adds the words of new titles and of categories. Runs as the owner
-- of the table, who alone may create indexes, because another role may derive the night.
create function ops.index_products() returns void language plpgsql volatile security definer
set search_path = pg_catalog as $$
declare
  -- Nights of two regions are derived in any order, so some products are read again.
  since timestamptz := (select max(noted_at) - interval '2 days' from derived.title_word);
begin
  if to_regclass('catalog.product_by_words') is null then
    -- Two processes may come here at once: the second waits, and finds them made.
    lock table catalog.product in share row exclusive mode;
    -- marts.find_products asks for the same expression. M&S is one word, other ampersands are the word "and".
    create index if not exists product_by_words on catalog.product using gin (
      to_tsvector('simple',
        regexp_replace(normalize(translate(replace(regexp_replace(title || ' ' || coalesce(brand, ''),
          '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')));
    -- Statistics would read the words of every sampled title anew.
    alter index catalog.product_by_words alter column 1 set statistics 0;
    create index if not exists product_by_tpnb on catalog.product (tpnb);
    create index if not exists product_by_gtin on catalog.product (gtin);
    create index if not exists title_word_by_trigrams on derived.title_word using gin (trigrams);
  end if;

  insert into derived.title_word (word, trigrams, noted_at)
  select
    word,
    array(select distinct substr('  ' || word || ' ', i, 3) from generate_series(1, length(word) + 1) as i),
    noted.at
  from (select max(valid_from) as at from catalog.product having count(*) > 0) as noted,
    lateral (
      select distinct unnest(tsvector_to_array(to_tsvector('simple',
        regexp_replace(normalize(translate(replace(regexp_replace(part,
          '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g'))))
        as word
      -- Few parts differ, so that few are taken apart.
      from (
        select string_to_table(title || ' ' || coalesce(brand, ''), ' ') as part
        from catalog.product
        where valid_from >= coalesce(since, '-infinity')
        union
        select string_to_table(name, ' ') from catalog.category
      ) as parts
    ) as found
  -- Words of letters alone: of amounts and codes a slip of the finger makes others.
  where word ~ '^[[:alpha:]]{3,30}$'
  on conflict (word) do nothing;
end $$;
