-- Punctuation is listed: what a class of characters holds depends on the collation of the database.
create function marts.brand_key(brand text)
returns text
language sql
immutable
parallel safe
return nullif(btrim(regexp_replace(
  replace(
    regexp_replace(lower(regexp_replace(normalize(brand, nfkd), '[\u0300-\u036f]', '', 'g')), '[''’‘`]', '', 'g'),
    '&', ' and '),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9'
  '\u00bb-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f]+',
  ' ', 'g')), '');

revoke execute on function marts.brand_key(text) from public;

comment on function marts.brand_key(text) is
  'A brand without differences of spelling: in lower case, without accents and punctuation. '
  'brand_key(''O’DOWD’S'') equals brand_key(''O''''Dowd''''s''). Null when nothing is left. '
  'dim_product, product_now and fct_search_rank have it as a column.';
