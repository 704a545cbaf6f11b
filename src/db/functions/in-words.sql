-- A reason of a certificate (src/publish/certificate.ts) as a sentence.
create function ops.reason_in_words(reason jsonb) returns text language sql immutable parallel safe
set search_path = pg_catalog as $$
  select coalesce(reason ->> 'path' || ': ', '') || format(
    case reason ->> 'code'
      when 'taxonomy_empty' then 'the taxonomy is empty'
      when 'nothing_listed' then 'no category lists any product'
      when 'taxonomy_unread' then
        '%s top-level categories of the taxonomy could not be read, so their products are unknown'
      when 'taxonomy_lacks' then
        '%s products belong by their breadcrumbs to categories that the taxonomy does not name and that list nothing'
      when 'category_unaskable' then 'the ids of %s deepest categories are too long to be requested'
      when 'category_not_read' then 'not read tonight, because other categories listed all its products lately'
      when 'category_unknown' then 'not in the taxonomy, yet it lists %s products'
      when 'category_capped' then 'the total of %s products looks like a limit of the listing'
      when 'category_endless' then 'declares no total, and no page came back empty after %s products'
      when 'category_without_total' then 'declares no total; %s products were read up to an empty page'
      when 'category_short' then '%s of %s declared products seen, %s could not be parsed'
      when 'category_fell' then '%s products seen, %s are usual; of %s that are missing, %s are gone by their own pages'
      when 'pages_unrequested' then '%s of %s pages were not requested: the limits did not suffice'
      when 'pages_failed' then '%s of %s pages could not be read'
      when 'paused' then 'nothing was read for %s hours; pages read later belong to another night'
      when 'children_unread' then '%s of %s categories sampled for comparison could not be read'
      when 'category_hides' then 'categories below it list %s of its products that it does not'
      when 'misplaced' then '%s of its products were seen in other categories only; it shows %s'
      when 'unseen_not_gone' then
        'of %s products not seen, %s were checked by their own pages: %s are for sale, %s are gone'
      when 'unreadable' then '%s of %s elements could not be parsed'
      when 'fell' then
        '%s products are missing (%s are tolerated): own pages of %s would prove that they are gone, %s answered, and '
        '%s of these are for sale'
      when 'fell_proven' then
        '%s products are missing (%s are tolerated): of %s own pages to check, %s answered, and %s are for sale'
      when 'fell_lasted' then '%s products are missing (%s are tolerated), as on the nights before'
      when 'fell_released' then '%s products are missing (%s are tolerated), as on the night that was released'
      when 'fell_tolerably' then '%s products are missing (%s are tolerated since the last certified night)'
      else reason ->> 'code'
    end, variadic array(
      select figure from jsonb_array_elements_text(coalesce(reason -> 'figures', '[]')) as figure))
$$;

-- A finding of a check (src/publish/checks.sql) as a sentence.
create function ops.finding_in_words(name text, found int, total int) returns text language sql immutable parallel safe
set search_path = pg_catalog as $$
  select format(
    case
      when name = 'price-jump' then
        '%s of %s changed products cost about a hundred times as much or as little as before'
      when name = 'region-mix-up' then
        '%s of %s new or changed products are those of another region, or name another article than before'
      when name like 'lost-%' then '%s of %s listed products lost their %s'
      when name like 'unreadable-%' then '%s of %s elements have a %s that could not be read, unlike the night before'
      when name = 'promotions-gone' then
        '%s of %s products lost promotions that have not ended, and none has a new one'
      when name = 'price-level' then 'the median price of %s new products is implausible'
      when name = 'nothing-changed' then
        'nothing has changed for %s nights: the upstream may serve an old copy'
      else name || ': %s of %s'
    end, found, total, replace(substr(name, strpos(name, '-') + 1), '-', ' '))
$$;
