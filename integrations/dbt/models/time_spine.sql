select day::date as date_day
from generate_series(timestamp '2020-01-01', timestamp '2040-12-31', interval '1 day') as day
