revoke execute on all functions in schema catalog, ops from public;
-- Views in marts call them with the rights of their readers.
grant execute on function ops.in_words(text, int[], text), ops.reason_in_words(jsonb),
  ops.finding_in_words(text, int, int), ops.known_region(text) to public;
