-- Whether 14 digits identify an article worldwide: the check digit is valid and no range for internal use or variable
-- weight has the number (GS1 General Specifications 1.4: prefixes 02, 04, 2, 980 to 984, 99; GTIN-8 0, 2; leading 9).
create function catalog.is_trade_item_number(gtin text) returns boolean
language sql
immutable
parallel safe
return case
  when gtin is null or gtin !~ '^\d{14}$' then false
  when (
    select sum(substr(gtin, place, 1)::int * case when place % 2 = 1 then 3 else 1 end) % 10
    from generate_series(1, 14) as place
  ) <> 0 then false
  when gtin like '000000%' then substr(gtin, 7) !~ '^[02]'
  else left(gtin, 1) <> '9' and substr(gtin, 2) !~ '^(0[24]|2|98[0-4]|99)'
end;
