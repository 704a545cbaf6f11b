/** What DuckDB, ClickHouse and Spark write differently. */
export interface Dialect {
  readonly name: 'duckdb' | 'clickhouse' | 'spark';
  /** How the file is used, as comment lines. */
  readonly head: string;
  readonly createSchema: string;
  /** Added to the statements with a query. */
  readonly settings: string;
  /** Query that reads a Delta table of the lake. */
  table(name: string): string;
  /** A query with the parameters `region` and `on_date`; null: not supported. */
  readonly asOf: ((query: (region: string, date: string) => string) => string) | null;
  readonly boolean: (condition: string) => string;
  readonly double: (value: string) => string;
  readonly long: (value: string) => string;
  readonly decimal: (value: string, scale: number) => string;
  /** One row per path of a text such as `A > B | C`. */
  readonly eachPath: (paths: string) => string;
  /** The first levels of a path. */
  readonly levels: (path: string, count: string) => string;
}

const duckdb: Dialect = {
  name: 'duckdb',
  head: `-- For DuckDB. Set the place of the lake, a folder or s3://bucket/prefix, then read the file:
--     install delta;
--     set variable lake = '/data/lake';
--     .read views.sql`,
  createSchema: 'create schema if not exists',
  settings: '',
  table: (name) => `select * from delta_scan(getvariable('lake') || '/${name}')`,
  asOf: (query) =>
    `create or replace macro marts.as_of(of_region, on_date) as table (${query('of_region', 'on_date')})`,
  boolean: (condition) => condition,
  double: (value) => `cast(${value} as double)`,
  long: (value) => `cast(${value} as bigint)`,
  decimal: (value, scale) => `cast(${value} as decimal(18, ${scale}))`,
  eachPath: (paths) => `unnest(string_split(${paths}, ' | '))`,
  levels: (path, count) => `array_to_string(string_split(${path}, ' > ')[1:${count}], ' > ')`,
};

const clickhouse: Dialect = {
  name: 'clickhouse',
  head: `-- For ClickHouse. Replace /data/lake by the folder of the lake, which must be below user_files_path, then run
--     clickhouse-client --queries-file views.sql
-- For a bucket replace deltaLakeLocal('/data/lake/NAME') by
-- deltaLake('https://endpoint/bucket/prefix/NAME', 'key', 'secret').`,
  createSchema: 'create database if not exists',
  settings: '\nsettings join_use_nulls = 1',
  table: (name) => `select * from deltaLakeLocal('/data/lake/${name}')`,
  asOf: (query) => `create or replace view marts.as_of as${query('{region:String}', '{on_date:Date}')}`,
  boolean: (condition) => `cast(${condition} as Nullable(Bool))`,
  double: (value) => `toFloat64(${value})`,
  long: (value) => `toInt64(${value})`,
  decimal: (value, scale) => `toDecimal64(${value}, ${scale})`,
  eachPath: (paths) => `arrayJoin(splitByString(' | ', ${paths}))`,
  levels: (path, count) => `arrayStringConcat(arraySlice(splitByString(' > ', ${path}), 1, ${count}), ' > ')`,
};

const spark: Dialect = {
  name: 'spark',
  head: `-- For Spark with Delta Lake. Replace /data/lake by the folder of the lake or s3a://bucket/prefix, then run
--     spark-sql -f views.sql`,
  createSchema: 'create schema if not exists',
  settings: '',
  table: (name) => `select * from delta.\`/data/lake/${name}\``,
  asOf: null,
  boolean: (condition) => condition,
  double: (value) => `cast(${value} as double)`,
  long: (value) => `cast(${value} as bigint)`,
  decimal: (value, scale) => `cast(${value} as decimal(18, ${scale}))`,
  eachPath: (paths) => `explode(split(${paths}, ' [|] '))`,
  levels: (path, count) => `substring_index(${path}, ' > ', ${count})`,
};

export const dialects: readonly Dialect[] = [duckdb, clickhouse, spark];
