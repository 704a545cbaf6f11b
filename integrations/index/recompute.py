"""Recomputes price indices from a lake: python recompute.py LAKE price_index.csv [pack_change.csv], see weights.md."""
import csv, sys, warnings
from collections import defaultdict
import duckdb as db, numpy as np
from deltalake import DeltaTable
warnings.simplefilter("ignore")  # The mean of no values is NaN.
lake, index_csv, *pack_csv = sys.argv[1:]
for name in ("prices", "products", "price_changes"):
    files = DeltaTable(f"{lake}/{name}").file_uris()
    db.from_query("select * from read_parquet($1, hive_partitioning = true)", params=[files]).to_table(name)
# A product out of stock has the price at which it was last for sale, for 60 nights without stock.
db.execute("""
create table sale as select region, product_key, d, arg_max_null(price, seen) as price, max(next) as next from (
  select region, product_key, snapshot_date as d, price, timestamptz 'infinity' as seen, next
  from prices p join (select region, d, lead(d) over (partition by region order by d) as next
    from (select distinct region, snapshot_date as d from prices)) n using (region)
  where n.d = snapshot_date and availability = 'available'
  union all select region, product_key, snapshot_date, new_price, changed_at, null from price_changes) group by all;
create table priced as select p.region, p.snapshot_date as d, p.product_key, coalesce(categories, '') as paths,
  loyalty_price, case when availability = 'available' then p.price
    when p.snapshot_date - out_since < 60 then s.price end as price
from prices p join products using (region, snapshot_date, product_key)
asof left join (select *, max(next) over (partition by region, product_key order by d) as out_since from sale) s
  on p.region = s.region and p.product_key = s.product_key and p.snapshot_date >= s.d;
create table change (region text, product_key int, since date, item int, factor double, place int)""")
# From the night that confirms a change, the price is that of the first content; a successor continues the product.
known, rows = {}, csv.DictReader(open(pack_csv[0], encoding="utf-8")) if pack_csv else ()
for r in sorted(rows, key=lambda r: (r["confirmed_on"], r["snapshot_date"], int(r["product_key"]))):
    key = former = int(r["product_key"])
    if r["former_product_id"]:
        former, = db.execute("""select max_by(product_key, snapshot_date) from prices where region = $1 and
      product_id = $2 and snapshot_date < $3""", [r["region"], r["former_product_id"], r["snapshot_date"]]).fetchone()
    if former == key or "tpnb" in r["evidence"].split(", "):
        item, factor = known.get(former, (former, 1.0))
        known[key] = item, factor * float(r["old_size"]) / float(r["new_size"])
        row = [r["region"], key, r["confirmed_on"], *known[key], 1 + list(known).index(key)]
        db.execute("insert into change values ($1, $2, $3, $4, $5, $6)", row)

def relatives(region, period, window, basis):
    """Logarithm of the Jevons index of a category in a period, against an earlier one of the window or itself."""
    item, factor = ("coalesce(item, p.product_key)", "coalesce(factor, 1)") if "adj" in basis else ("p.product_key", 1)
    price = "price" if basis.startswith("shelf") else "coalesce(loyalty_price, price)"
    db.execute(f"""create or replace temp table entry as
      with panel as (select {item} as item, date_trunc('{period}', d)::date as t,
          ln(nullif(avg({price} * {factor}), 0)) as log, arg_max(paths, (d, coalesce(place, 0))) as paths
        from priced p asof left join change c on p.region = c.region and p.product_key = c.product_key and d >= since
        where p.region = $1 and price is not null group by all),
      leaf as (select distinct paths, string_split(unnest(string_split(paths, ' | ')), ' > ') as names from panel),
      above as (select distinct paths, array_to_string(names[1:unnest(range(1, len(names) + 1))], ' > ') as c from leaf
        union select paths, '' from panel)
      select item, t::text as t, dense_rank() over (order by t) as n, log, c
      from panel join above using (paths)""", [region])
    pairs, found = db.execute("""select c, b.t, a.t, avg(b.log - a.log) from entry a join entry b using (item, c)
      where b.n - a.n between 0 and $1 - 1 and abs(b.log - a.log) <= ln(10) + 1e-12 group by all""", [window]), {}
    for c, t, s, log in pairs.fetchall():
        found.setdefault(c, {})[t, s] = log
    return found

def indices(starts, window, logs):
    """Base of each period with a price, and logarithms of its values by method and basis."""
    base, chained, geks = {}, {basis: {} for basis in logs}, {basis: {} for basis in logs}
    for i, t in enumerate(starts):  # Linked to the latest period with a match.
        linked = lambda basis, of=None: next((s for s in reversed(starts[max(0, i - window + 1):i])
            if (t, s) in logs[basis] and s in chained[basis] and of in (None, base[s])), None)
        if (t, t) in logs["shelf"]:
            before = linked("shelf") or linked("member")
            base[t] = base[before] if before else t
            for basis in logs:
                if s := linked(basis, base[t]) if before else t:
                    chained[basis][t] = chained[basis].get(s, 0) + logs[basis].get((t, s), 0)
    place = {t: i for i, t in enumerate(starts)}
    for basis, value in geks.items():
        jevons = np.full((len(starts), len(starts)), np.nan)
        for (t, s), log in logs[basis].items():
            jevons[place[t], place[s]], jevons[place[s], place[t]] = log, -log
        for t, first in base.items():
            series, i, end = [s for s in base if base[s] == first], place[t], min(place[first] + window, len(starts))
            last = max(place[s] for s in series if place[s] < end) if i < end else i
            whole = slice(max(0, end - window) if i < end else i - window + 1, last + 1)
            move = lambda s: np.nanmean(jevons[i, whole] - jevons[place[s], whole])
            # Until the base leaves the window; after that, mean splice on the published values.
            value[t] = move(first) if i < end else np.nanmean(
                [value[s] + move(s) for s in series if whole.start <= place[s] < i])
    return base, {"jevons_chained": chained, "geks_jevons": geks}

published = defaultdict(list)
for r in csv.DictReader(open(index_csv, encoding="utf-8")):
    published[r["region"], r["period"]] += [r] if pack_csv or "adj" not in r["price_basis"] else []
for (region, period), rows in sorted(published.items()):
    window, memo, worst, other = 29 if period == "day" else 25, {}, 0.0, 0
    logs = {b: relatives(region, period, window, b) for b in {"shelf", "member", *(r["price_basis"] for r in rows)}}
    starts = sorted(t for t, s in logs["shelf"][""] if t == s)
    for r in rows:
        c, t = r["category_path"], r["period_start"]
        memo[c] = memo.get(c) or indices(starts, window, {b: each.get(c, {}) for b, each in logs.items()})
        log = memo[c][1][r["method"]][r["price_basis"]].get(t, np.nan)
        is_same = memo[c][0].get(t) == r["base_start"] and np.isnan(log) == (r["value"] == "")
        other += not is_same
        worst = max(worst, abs(100 * np.exp(log) - float(r["value"])) if is_same and r["value"] else 0.0)
    print(f"{region} {period}: {len(rows)} values, {other} of another series, largest difference {worst:.1e}")
