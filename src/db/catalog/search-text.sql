-- Title and brand of a product as they are searched. M&S is one word, other ampersands are the word "and". ASCII
-- without them is its own normal form, which takes as long to compute as the words.
create function catalog.search_text(title text, brand text) returns text
language sql
immutable
parallel safe
return case
  when octet_length(title || coalesce(brand, '')) = length(title || coalesce(brand, ''))
    and strpos(title || coalesce(brand, ''), '&') = 0 then title || ' ' || coalesce(brand, '')
  else regexp_replace(normalize(translate(replace(regexp_replace(title || ' ' || coalesce(brand, ''),
    '\m(\w)&(\w)\M', '\1and\2', 'g'), '&', ' and '), '‘’ʼ', ''''''''), nfd), '[\u0300-\u036f]', '', 'g')
end;
