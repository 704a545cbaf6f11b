-- With the rights of its owner: reports read marts only. Without an extension, which not every server lets its users
-- create.
create function marts.nearest_words(word text)
returns table (nearest text, likeness double precision)
language sql
stable
parallel safe
security definer
set search_path = pg_catalog
set jit = off
rows 3
begin atomic
  with own as (
    select array(
      select distinct substr('  ' || lower(nearest_words.word) || ' ', i, 3)
      from generate_series(1, length(nearest_words.word) + 1) as i) as trigrams
    where nearest_words.word ~ '^[[:alpha:]]{4,30}$'
      and not exists (
        select from derived.title_word known
        where known.word >= lower(nearest_words.word) collate "C"
          and known.word < lower(nearest_words.word) || U&'\FFFF' collate "C")
  )
  select
    title_word.word,
    case
      -- Letters in another order.
      when length(title_word.word) = length(nearest_words.word)
        and (select array_agg(letter order by letter) from string_to_table(title_word.word, null) as letter)
          = (select array_agg(letter order by letter) from string_to_table(lower(nearest_words.word), null) as letter)
        then 0.9
      else 2.0 * count(*) / (cardinality(own.trigrams) + cardinality(title_word.trigrams))
    end as likeness
  from own
  join derived.title_word on title_word.trigrams && own.trigrams
  cross join lateral unnest(title_word.trigrams) as part
  where part = any (own.trigrams)
  group by title_word.word, own.trigrams
  order by likeness desc, title_word.word
  limit 3;
end;

revoke execute on function marts.nearest_words(text) from public;

comment on function marts.nearest_words(text) is
  'The three words of titles, brands and categories most like a word that none of them has, nor begins with: '
  '''yoghut'' finds yoghurt. likeness is the share of equal runs of three letters, or 0.9 if only the order of '
  'letters differs; from 0.5 on find_products takes them for the word.';
