revoke execute on all functions in schema catalog, ops from public;
-- Views in marts call them with the rights of their readers. An index of words is used only in sessions that may call
-- its function, whoever asks first.
grant execute on function ops.in_words(text, int[], text), ops.reason_in_words(jsonb),
  ops.finding_in_words(text, int, int), ops.known_region(text), catalog.search_text(text, text) to public;
