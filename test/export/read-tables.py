"""Reads the tables of a lake with delta-rs and polars.

    read-tables.py rows LAKE       prints every row of every table, as each client reads it
    read-tables.py watch LAKE      reads `prices` until standard input ends; prints how often the rows were complete
"""

import json
import sys
from collections import Counter
from pathlib import Path

import polars as pl
from deltalake import DeltaTable

mode, lake = sys.argv[1:]
tables = sorted(log.parent for log in Path(lake).glob("*/_delta_log"))


def with_delta_rs(table):
    return DeltaTable(table).to_pyarrow_table().to_pylist()


def with_polars(table):
    return pl.scan_delta(str(table)).collect().to_dicts()


def as_text(row):
    return {name: None if value is None else str(value) for name, value in sorted(row.items())}


if mode == "rows":
    read = {
        table.name: {
            client.__name__: [as_text(row) for row in client(table)] for client in (with_delta_rs, with_polars)
        }
        for table in tables
    }
    print(json.dumps(read))
else:
    import threading

    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    seen = Counter()
    print("reading", flush=True)
    while not ended.is_set():
        for client in (with_delta_rs, with_polars):
            try:
                rows = client(Path(lake) / "prices")
                nights = Counter((row["region"], str(row["snapshot_date"])) for row in rows)
                keys = Counter((row["region"], row["snapshot_date"], row["product_id"]) for row in rows)
                twice = max(keys.values()) > 1
                seen[client.__name__, "twice" if twice else json.dumps(sorted([*night, n] for night, n in nights.items()))] += 1
            except Exception as error:
                seen[client.__name__, f"failed: {error}"] += 1
    print(json.dumps([[*key, times] for key, times in seen.items()]))
