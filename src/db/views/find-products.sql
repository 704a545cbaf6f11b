-- With the rights of its owner: the words are no mart, being of a type that reports cannot show. It can only find.
create function marts.find_products(region text, words text)
returns table (product_key integer)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
rows 500
begin atomic
  select found.product_key
  from derived.product_words found
  where found.region = find_products.region
    -- Each word as the beginning of one, without accents and with one kind of apostrophe, as src/derive/product-words.ts keeps them; what
    -- has no words finds nothing.
    and found.words @@ (
      nullif(replace(plainto_tsquery('simple',
        regexp_replace(normalize(translate(find_products.words, '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g'))::text, ''' & ', ''':* & '), '') || ':*')::tsquery;
end;

revoke execute on function marts.find_products(text, text) from public;

comment on function marts.find_products(text, text) is 'Products of a region whose title, brand, id, base product number or barcode (without leading zeros) have all the words, each as the beginning of a word: ''semi skim'' finds Semi Skimmed Milk. Accents and kinds of apostrophes make no difference. Products that are gone are found, too. As of the last certified night; join product_now or dim_product by product_key.';
