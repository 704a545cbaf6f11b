insert into catalog.region (region, name, currency, time_zone) values
  ('uk', 'United Kingdom', 'GBP', 'Europe/London'),
  ('ie', 'Ireland', 'EUR', 'Europe/Dublin');
