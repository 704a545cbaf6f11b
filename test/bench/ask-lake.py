"""Asks a lake the questions of integrations/lake: `python test/bench/ask-lake.py DuckDB LAKE`, from the folder above
the lake, with the packages of `.ci/clients` (and SPARK_JARS for Spark). Prints seconds and processor seconds of each.
"""

import os
import sys
from pathlib import Path
from time import perf_counter

root = Path(__file__).parents[2]
sys.path.insert(0, str(root / "test/export"))
from clients import Spark, clients  # noqa: E402

name, lake = sys.argv[1], os.path.abspath(sys.argv[2])
Spark.settings = {"spark.driver.memory": "8g"}
engine = clients[name]()


def processor_seconds():
    """Of this process and those it started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = (int(fields[1]), int(fields[11]) + int(fields[12]))
    own = {os.getpid()}
    for _ in range(4):
        own |= {process for process, (parent, _) in parents.items() if parent in own}
    return sum(parents[process][1] for process in own if process in parents) / os.sysconf("SC_CLK_TCK")


def measure(what, run):
    began, used = perf_counter(), processor_seconds()
    found = run()
    print(f"{what}: {perf_counter() - began:.1f} s, {processor_seconds() - used:.1f} s of processor, {found}", flush=True)


def read(file, choose=lambda text: text):
    text = (root / f"integrations/lake/{name.lower()}/{file}.sql").read_text().replace("/data/lake", lake)
    lines = [line for line in choose(text).splitlines() if not line.startswith("--")]
    for statement in "\n".join(lines).split(";\n"):
        if statement.strip(" ;\n"):
            engine.run(statement.strip(" ;\n"))


def ask(statement):
    return lambda: list(engine.run(statement)[0].values())


if name == "DuckDB":
    engine.run(f"set variable lake = '{lake}'")
read("views")
nights = [str(row["snapshot_date"]) for row in engine.run(
    "select snapshot_date from lake.night where region = 'uk' order by snapshot_date")]
last, earlier, week = nights[-2], nights[len(nights) // 2], nights[-8]
uk = "region = 'uk' and snapshot_date"
measure("catalogue of a night", ask(
    f"select count(*), sum(price), max(title) from marts.fct_price_daily where {uk} = '{last}'"))
measure("changes above 5% in a week", ask(
    f"select count(*), max(change_pct) from marts.fct_price_change where {uk} > '{week}' and abs(change_pct) > 5"))
measure("largest moves between two nights", ask(
    "select max(product_id), max(change_pct) from (select * from marts.price_move where region = 'uk'"
    f" and since = '{earlier}' and until = '{last}' order by change_pct desc limit 25) as moves"))
measure("figures by category of a night", ask(
    f"select count(*), sum(products_listed), max(median_price) from marts.fct_category_daily where {uk} = '{last}'"))
measure("promotions of a night by kind", ask(
    f"select count(distinct kind), count(*), min(loyalty_price) from lake.promotions where {uk} = '{last}'"))
measure("price of a product on every night", ask(
    "select count(*), avg(price) from lake.prices where region = 'uk' and product_key = 1"))


def index_of(period):
    read("price-index", lambda text: text.replace("('day', 'week', 'month')", f"('{period}')"))
    return ask(headline)()


headline = ("select count(*), max(value) from marts.price_index where region = 'uk' and method = 'geks_jevons'"
            " and category_path is null and price_basis = 'shelf'")
for period in ("month", "week"):
    measure(f"indices of all categories by {period}", lambda: index_of(period))
