-- Creates the indexes that only readers of products need, once. Filled row by row, they would cost the
-- first night 45 MB of WAL for 50,000 products instead of 10. Then adds the words of categories and of titles since an
-- instant; of all titles if it is null. Runs as the owner of the tables, who alone may create indexes, because another
-- role may derive the night.
create function ops.index_products(since timestamptz default null) returns void language plpgsql volatile
security definer
set search_path = pg_catalog as $$
begin
  if to_regclass('catalog.product_by_words') is null then
    -- Two processes may come here at once: the second waits, and finds them made.
    lock table catalog.product, catalog.product_current, catalog.product_category in share row exclusive mode;
    -- marts.find_products asks for the same expression. M&S is one word, other ampersands are the word "and". Titles
    -- in ASCII without them are their own normal form, which takes as long to compute as the words.
    create index if not exists product_by_words on catalog.product using gin (
      to_tsvector('simple',
        case
          when octet_length(title || coalesce(brand, '')) = length(title || coalesce(brand, ''))
            and strpos(title || coalesce(brand, ''), '&') = 0 then title || ' ' || coalesce(brand, '')
          else regexp_replace(normalize(translate(replace(regexp_replace(title || ' ' || coalesce(brand, ''),
            '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')
        end));
    -- Statistics would read the words of every sampled title anew.
    alter index catalog.product_by_words alter column 1 set statistics 0;
    -- Without the region: in a small database, the planner would otherwise prefer it for look-ups by product key.
    -- The beginnings alone take a fifth of the space, and few titles share one, so that sorting those costs little.
    create index if not exists product_by_title on catalog.product (left(title, 16));
    create index if not exists product_by_tpnb on catalog.product (tpnb);
    create index if not exists product_by_gtin on catalog.product (gtin);
    -- Lists ordered by price read only the rows they show. Of integers, an index keeps each value once.
    create index if not exists product_current_by_price on catalog.product_current
      ((((price_minor * 0.01)::numeric(12, 2) * 100)::int));
    create index if not exists product_current_by_unit_price on catalog.product_current
      (((unit_price * 10000)::bigint));
    -- As for the columns of the table: the largest sample counts.
    alter index catalog.product_current_by_price alter column 1 set statistics 30;
    alter index catalog.product_current_by_unit_price alter column 1 set statistics 30;
    -- For changes of a night.
    create index if not exists product_current_by_availability on catalog.product_current (availability_since);
    create index if not exists product_category_by_category on catalog.product_category (category_key);
    -- For the current products of a category, without reading former ones.
    create index if not exists product_category_now on catalog.product_category (category_key, product_key)
      where valid_to is null;
    -- Unique, so that the planner knows that a product has at most one.
    create unique index if not exists pack_size_current on derived.pack_size (product_key) where valid_to is null;
    create index if not exists promotion_start_by_night on derived.promotion_start (snapshot_date);
    -- Covers all columns that pages group by, for index-only scans.
    create index if not exists promotion_start_by_verdict on derived.promotion_start (region, snapshot_date,
      prior_price_check, prior_price_reason, depth_from, verdict_label, prior_nights_known);
    create index if not exists title_word_by_trigrams on derived.title_word using gin (trigrams);
  end if;

  insert into derived.title_word (word, trigrams)
  select
    word,
    array(select distinct substr('  ' || word || ' ', i, 3) from generate_series(1, length(word) + 1) as i)
  from (
      select distinct unnest(tsvector_to_array(to_tsvector('simple',
        regexp_replace(normalize(translate(replace(regexp_replace(part,
          '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g'))))
        as word
      -- Few parts differ, so that few are taken apart. One long text is faster to split than many titles.
      from (
        select string_to_table(string_agg(title || ' ' || coalesce(brand, ''), ' '), ' ') as part
        from catalog.product
        where valid_from > since or since is null or not exists (select from derived.title_word)
        union
        select string_to_table(name, ' ') from catalog.category
      ) as parts
      -- Most words of categories are known from the night before.
      where lower(part) not in (select known.word from derived.title_word as known)
    ) as found
  -- Words of letters alone: of amounts and codes a slip of the finger makes others.
  where word ~ '^[[:alpha:]]{3,30}$'
  on conflict (word) do nothing;
end $$;
