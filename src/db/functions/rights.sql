revoke execute on all functions in schema catalog, ops from public;
-- Views call them with their readers' rights; without that to its function, a session does not use the index of words.
grant execute on function ops.in_words(text, int[], text), ops.reason_in_words(jsonb),
  ops.finding_in_words(text, int, int), ops.known_region(text), catalog.search_text(text, text) to public;
