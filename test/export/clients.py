"""Reads the tables of a lake with the client of the command line, whose name is the argument.

Each line of standard input is a JSON object, and so is each answer:

    {"table": PATH}                    rows of a table, as text
    {"table": PATH, "night": [R, D]}   rows of one night
    {"types": PATH}                    types of the columns, as the client names them
    {"run": PROGRAM}                   rows of a statement, or what a program in Python prints

A path that begins with s3:// is read from AWS_ENDPOINT_URL with the other variables of AWS.
"""

import contextlib
import io
import json
import os
import re
import sys
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

endpoint, key, secret, region = (
    os.environ.get(name, "")
    for name in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION")
)
storage_options = {
    "AWS_ENDPOINT_URL": endpoint,
    "AWS_ACCESS_KEY_ID": key,
    "AWS_SECRET_ACCESS_KEY": secret,
    "AWS_REGION": region,
    "allow_http": "true",
}


def options_of(path):
    return storage_options if path.startswith("s3://") else None


class Program:
    def run(self, program):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(program, {})
        return [{"printed": printed.getvalue()}]


class DeltaRs(Program):
    def table(self, path):
        from deltalake import DeltaTable

        return DeltaTable(path, storage_options=options_of(path))

    def rows(self, path, night):
        import pandas as pd

        filters = night and [("region", "=", night[0]), ("snapshot_date", "=", date.fromisoformat(night[1]))]
        frame = self.table(path).to_pandas(filters=filters, types_mapper=pd.ArrowDtype)
        return [{name: None if value is pd.NA else value for name, value in row.items()} for row in frame.to_dict("records")]

    def types(self, path):
        import pyarrow as pa

        return {field.name: str(field.type) for field in pa.schema(self.table(path).schema().to_arrow())}


class Polars(Program):
    def scan(self, path):
        import polars as pl

        return pl.scan_delta(path, storage_options=options_of(path))

    def rows(self, path, night):
        import polars as pl

        frame = self.scan(path)
        if night:
            frame = frame.filter(pl.col("region") == night[0], pl.col("snapshot_date") == date.fromisoformat(night[1]))
        return frame.collect().to_dicts()

    def types(self, path):
        return {name: str(type_) for name, type_ in self.scan(path).collect_schema().items()}


class Sql:
    def rows(self, path, night):
        where = f" where region = '{night[0]}' and snapshot_date = '{night[1]}'" if night else ""
        return self.run(f"select * from {self.source(path)}{where}")


class DuckDb(Sql):
    def __init__(self):
        import duckdb
        import duckdb_ext

        self.connection = duckdb.connect()
        for extension in Path(duckdb_ext.__path__[0]).glob("extensions/*/*/*.duckdb_extension"):
            self.connection.execute(f"load '{extension}'")
        self.connection.execute("set timezone = 'UTC'")
        if endpoint:
            host = endpoint.split("//")[1]
            self.connection.execute(
                f"create secret (type s3, key_id '{key}', secret '{secret}', region '{region}', endpoint '{host}',"
                " url_style 'path', use_ssl false)"
            )

    def source(self, path):
        return f"delta_scan('{path}')"

    def run(self, statement):
        found = self.connection.execute(statement)
        names = [column[0] for column in found.description or []]
        return [dict(zip(names, row)) for row in found.fetchall()]

    def types(self, path):
        return {row["column_name"]: row["column_type"] for row in self.run(f"describe select * from {self.source(path)}")}


class ClickHouse(Sql):
    def __init__(self):
        from chdb import session

        # Files below the current folder may be read.
        self.session = session.Session()

    def source(self, path):
        if not path.startswith("s3://"):
            return f"deltaLakeLocal('{path}')"
        return f"deltaLake('{endpoint}/{path[5:]}', '{key}', '{secret}')"

    def run(self, statement):
        found = str(self.session.query(statement, "JSONCompact"))
        if not found:
            return []
        found = json.loads(found)
        names = [column["name"] for column in found["meta"]]
        return [dict(zip(names, row)) for row in found["data"]]

    def types(self, path):
        return {row["name"]: row["type"] for row in self.run(f"describe table {self.source(path)}")}


class Spark(Sql):
    """With settings for small tables, unless the program sets others."""

    settings = {
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.sql.files.openCostInBytes": "0",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    }

    def __init__(self):
        from pyspark.sql import SparkSession

        settings = {
            "spark.jars": ",".join(str(jar) for jar in Path(os.environ["SPARK_JARS"]).glob("*.jar")),
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "spark.hadoop.fs.s3a.endpoint": endpoint,
            "spark.hadoop.fs.s3a.path.style.access": "true",
            "spark.hadoop.fs.s3a.access.key": key,
            "spark.hadoop.fs.s3a.secret.key": secret,
            "spark.sql.session.timeZone": "UTC",
            # The server of the tests keeps no ETags.
            "spark.hadoop.fs.s3a.change.detection.version.required": "false",
            # Not of the page.
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.warehouse.dir": os.path.join(os.getcwd(), "warehouse"),
            **self.settings,
        }
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def source(self, path):
        return f"delta.`{path.replace('s3://', 's3a://')}`"

    def run(self, statement):
        return [row.asDict() for row in self.session.sql(statement).collect()]

    def types(self, path):
        return dict(self.session.table(self.source(path)).dtypes)


def as_text(value):
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        at = value if value.tzinfo is None else value.astimezone(timezone.utc)
        return at.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, (Decimal, float)):
        return f"{value:.10g}"
    # ClickHouse prints instants with fractions.
    return re.sub(r"( \d\d:\d\d:\d\d)\.0+$", r"\1", str(value))


clients = {"DuckDB": DuckDb, "ClickHouse": ClickHouse, "polars": Polars, "pandas": DeltaRs, "Spark": Spark}


def answer(client, asked):
    if "types" in asked:
        return client.types(asked["types"])
    rows = client.run(asked["run"]) if "run" in asked else client.rows(asked["table"], asked.get("night"))
    return [{name: as_text(value) for name, value in row.items()} for row in rows]


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # What programs print themselves is no answer.
    client = clients[sys.argv[1]]()
    for line in sys.stdin:
        try:
            print(json.dumps({"found": answer(client, json.loads(line))}), file=answers, flush=True)
        except Exception as error:
            print(json.dumps({"failed": str(error)[:2000]}), file=answers, flush=True)
