-- Brands of the supermarket itself, by marts.brand_key; longer names that begin with one of them belong to it.
-- The owner of the database may insert and delete rows.
insert into catalog.private_label (brand_key) values
  ('tesco'), ('bay fishmongers'), ('boswell farms'), ('butchers choice'), ('carousel'), ('creamfields'), ('eastmans'),
  ('f and f'), ('fred and flo'), ('go cook'), ('growers harvest'), ('h w nevills'), ('hearty food co'), ('lathams'),
  ('ms mollys'), ('nightingale farms'), ('plant chef'), ('redmere farms'), ('rosedene farms'), ('springforce'),
  ('stockwell and co'), ('suntrail farms'), ('the growers harvest'), ('wicked kitchen'), ('willow farms'),
  ('woodside farms'),
  -- Of the simulated supermarket.
  ('meridian');
