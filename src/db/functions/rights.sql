revoke execute on all functions in schema ops from public;
