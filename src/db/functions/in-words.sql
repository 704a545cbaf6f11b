-- A sentence with figures, and perhaps a name after them. Of `{product|products}`, `1` and any words before it keep the
-- first, all other figures the second.
create function ops.in_words(sentence text, figures int[], name text default null)
returns text language sql immutable parallel safe set search_path = pg_catalog as $$
  select regexp_replace(
    regexp_replace(
      format(sentence, variadic array(select to_char(one, 'FM9,999,999,990') from unnest(figures) as one) || name),
      '\y1(( [a-z-]+)*) \{([^|]*)\|[^}]*\}', '1\1 \3', 'g'),
    '\{[^|]*\|([^}]*)\}', '\1', 'g')
$$;

-- A reason of a certificate (src/publish/certificate.ts) as a sentence.
create function ops.reason_in_words(reason jsonb) returns text language sql immutable parallel safe
-- Parsed here, because readers may not use the schema.
return
  coalesce(reason ->> 'path' || ': ', '') || ops.in_words(
    case reason ->> 'code'
      when 'taxonomy_empty' then 'the taxonomy is empty'
      when 'nothing_listed' then 'no category lists any product'
      when 'taxonomy_unread' then
        '%s top-level {category|categories} of the taxonomy could not be read; the products below are unknown'
      when 'taxonomy_lacks' then
        '%s {product belongs|products belong} by breadcrumb to a category that the taxonomy does not name and that '
        'lists nothing'
      when 'category_unaskable' then '%s deepest {category has an id|categories have ids} too long to be requested'
      when 'category_not_read' then 'not read tonight, because other categories listed all its products lately'
      when 'category_unknown' then 'not in the taxonomy, yet it lists %s {product|products}'
      when 'category_capped' then 'the total of %s {product|products} looks like a limit of the listing'
      when 'category_endless' then 'declares no total, and no page came back empty after %s {product|products}'
      when 'category_empty' then 'absent or empty: lists no products'
      when 'categories_empty' then '%s {category is|categories are} absent or empty, and only %s list products'
      when 'category_without_total' then 'declares no total; %s {product was|products were} read up to an empty page'
      when 'category_short' then '%s of %s declared {product|products} seen, %s could not be parsed'
      when 'category_fell' then '%s {product|products} seen, usual: %s, missing: %s, gone by their own pages: %s'
      when 'pages_unrequested' then '%s of %s {page|pages} not requested: the limits did not suffice'
      when 'pages_failed' then '%s of %s {page|pages} could not be read'
      when 'paused' then 'nothing was read for %s hours; pages read later belong to another night'
      when 'children_unread' then '%s of %s {category|categories} sampled for comparison could not be read'
      when 'category_hides' then 'categories below it list %s of its products that it does not'
      when 'misplaced' then 'only other categories show %s of its products; it shows %s'
      when 'unseen_not_gone' then '%s {product|products} not seen; own pages checked: %s, for sale: %s, gone: %s'
      when 'unreadable' then '%s of %s {element|elements} could not be parsed'
      when 'fell' then
        '%s {product is|products are} missing (tolerated: %s) and not proven to be gone: own pages needed: %s, '
        'answered: %s, for sale: %s'
      when 'fell_proven' then
        '%s {product is|products are} missing (tolerated: %s) and proven to be gone: own pages needed: %s, '
        'answered: %s, for sale: %s'
      when 'fell_lasted' then '%s {product is|products are} missing (tolerated: %s), as on the nights before'
      when 'fell_released' then
        '%s {product is|products are} missing (tolerated: %s), as on the night that was released'
      when 'fell_tolerably' then
        '%s {product is|products are} missing (tolerated since the last certified night: %s)'
      else reason ->> 'code'
    end, array(select figure::int from jsonb_array_elements_text(reason -> 'figures') as figure));

-- A finding of a check (src/publish/checks.sql) as a sentence.
create function ops.finding_in_words(name text, found int, total int) returns text language sql immutable parallel safe
return
  ops.in_words(
    case
      when name = 'price-jump' then
        '%s of %s changed {product|products} cost about a hundred times as much or as little as before'
      when name = 'region-mix-up' then
        '%s of %s new or changed {product|products}: of another region, or another article than before'
      when name like 'lost-%' then '%s of %s listed {product|products} lost the %s'
      when name like 'unreadable-%' then
        'the %3$s of %1$s of %2$s {element|elements} could not be read, unlike the night before'
      when name = 'promotions-gone' then
        '%s of %s {product|products} lost promotions that have not ended, and none has a new one'
      when name = 'price-level' then 'the median price of %s new {product|products} is implausible'
      when name = 'nothing-changed' then
        'nothing has changed for %s {night|nights}: the upstream may serve an old copy'
      else name || ': %s of %s'
    end, array[found, total], replace(substr(name, strpos(name, '-') + 1), '-', ' '));
