-- With the rights of its owner: reports read marts only, and this can only find.
create function marts.find_products(region text, words text)
returns table (product_key integer)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
rows 500
begin atomic
  with wanted as (
    -- Each word as the beginning of one; what has no words finds nothing.
    select btrim(find_products.words) as code, (nullif(replace(plainto_tsquery('simple',
      regexp_replace(normalize(translate(find_products.words, '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')
    )::text, ''' & ', ''':* & '), '') || ':*')::tsquery as query
  )
  select p.product_key
  from wanted
  join catalog.product p on p.region = find_products.region
    and (
      -- The expression of product_by_words (src/db/functions/index-products.sql): without accents, and with one kind of
      -- apostrophe.
      to_tsvector('simple', regexp_replace(normalize(translate(p.title || ' ' || coalesce(p.brand, ''), '‘’ʼ', ''''''''), nfd),
        '[\u0300-\u036f]', '', 'g')) @@ wanted.query
      or p.product_id = wanted.code
      or p.tpnb = wanted.code
      or p.gtin = lpad(wanted.code, 14, '0')
    );
end;

revoke execute on function marts.find_products(text, text) from public;

comment on function marts.find_products(text, text) is 'Products of a region whose title and brand have all the words, each as the beginning of a word (''semi skim'' finds Semi Skimmed Milk), or whose id, base product number or barcode it is, with or without leading zeros. Accents and kinds of apostrophes make no difference. Products that are gone are found, too. As products are now; join product_now or dim_product by product_key.';
