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
  /** Statement that keeps the rows of a query as a table. */
  create(name: string, query: string): string;
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
  /** Aggregate: list of steps to a row from earlier rows of its series, where there are any. */
  readonly steps: (from: string, move: string) => string;
  /**
   * Aggregate over the rows of a series, numbered by `place` from 1: list of values. A value is the mean of earlier
   * values plus their moves, or `start` without steps.
   */
  readonly walk: (place: string, start: string, steps: string) => string;
  /** Element of a list, counted from 1. */
  readonly at: (list: string, place: string) => string;
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
  create: (name, query) => `create or replace table ${name} as${query}`,
  asOf: (query) =>
    `create or replace macro marts.as_of(of_region, on_date) as table (${query('of_region', 'on_date')})`,
  boolean: (condition) => condition,
  double: (value) => `cast(${value} as double)`,
  long: (value) => `cast(${value} as bigint)`,
  decimal: (value, scale) => `cast(${value} as decimal(18, ${scale}))`,
  eachPath: (paths) => `unnest(string_split(${paths}, ' | '))`,
  levels: (path, count) => `array_to_string(string_split(${path}, ' > ')[1:${count}], ' > ')`,
  steps: (from, move) => `list({'source': ${from}, 'move': ${move}}) filter (where ${from} is not null)`,
  walk: (place, start, steps) => `list_reduce(
      list_prepend(
        {'place': 0, 'start': 0.0::double, 'steps': []::struct(source bigint, move double)[], 'seen': []::double[]},
        list({'place': ${place}, 'start': ${start}, 'steps': ${steps}, 'seen': []::double[]} order by ${place})),
      lambda done, row: {'place': row.place, 'start': row.start, 'steps': row.steps, 'seen': list_append(done.seen,
        case when coalesce(len(row.steps), 0) = 0 then row.start
        else list_avg(list_transform(row.steps, lambda step: done.seen[step.source] + step.move)) end)}
    ).seen`,
  at: (list, place) => `${list}[${place}]`,
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
  create: (name, query) => `create or replace table ${name} engine = MergeTree order by tuple() as${query}`,
  asOf: (query) => `create or replace view marts.as_of as${query('{region:String}', '{on_date:Date}')}`,
  boolean: (condition) => `cast(${condition} as Nullable(Bool))`,
  double: (value) => `toFloat64(${value})`,
  long: (value) => `toInt64(${value})`,
  decimal: (value, scale) => `toDecimal64(${value}, ${scale})`,
  eachPath: (paths) => `arrayJoin(splitByString(' | ', ${paths}))`,
  levels: (path, count) => `arrayStringConcat(arraySlice(splitByString(' > ', ${path}), 1, ${count}), ' > ')`,
  steps: (from, move) => `groupArrayIf((assumeNotNull(${from}), assumeNotNull(${move})), ${from} is not null)`,
  walk: (place, start, steps) => `arrayFold(
      (seen, row) -> arrayPushBack(seen, if(empty(row.3), row.2,
        arrayAvg(arrayMap(step -> seen[step.1] + step.2, row.3)))),
      arraySort(groupArray((${place}, coalesce(${start}, nan), ${steps}))),
      emptyArrayFloat64())`,
  at: (list, place) => `${list}[${place}]`,
};

const spark: Dialect = {
  name: 'spark',
  head: `-- For Spark with Delta Lake. Replace /data/lake by the folder of the lake or s3a://bucket/prefix, then run
--     spark-sql -f views.sql`,
  createSchema: 'create schema if not exists',
  settings: '',
  table: (name) => `select * from delta.\`/data/lake/${name}\``,
  create: (name, query) => `drop table if exists ${name};\ncreate table ${name} using parquet as${query}`,
  asOf: null,
  boolean: (condition) => condition,
  double: (value) => `cast(${value} as double)`,
  long: (value) => `cast(${value} as bigint)`,
  decimal: (value, scale) => `cast(${value} as decimal(18, ${scale}))`,
  eachPath: (paths) => `explode(split(${paths}, ' [|] '))`,
  levels: (path, count) => `substring_index(${path}, ' > ', ${count})`,
  steps: (from, move) =>
    `collect_list(case when ${from} is not null then named_struct('source', ${from}, 'move', ${move}) end)`,
  walk: (place, start, steps) => `aggregate(
      array_sort(collect_list(named_struct('place', ${place}, 'start', ${start}, 'steps', ${steps}))),
      cast(array() as array<double>),
      (seen, row) -> concat(seen, array(case when size(row.steps) = 0 then row.start
        else aggregate(row.steps, cast(0 as double),
          (sum, step) -> sum + element_at(seen, cast(step.source as int)) + step.move) / size(row.steps) end)))`,
  at: (list, place) => `element_at(${list}, cast(${place} as int))`,
};

export const dialects: readonly Dialect[] = [duckdb, clickhouse, spark];
