import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { labelOf, type Model, type Table, type Type } from './model.ts';

const types: Readonly<Record<Type, string>> = {
  ...{ text: 'TEXT', whole: 'BIGINT', decimal: 'NUMERIC', date: 'DATE', instant: 'TIMESTAMP WITH TIME ZONE' },
  'yes-no': 'BOOLEAN',
};

/** The same name has the same id for ever, so that a later import replaces what an earlier one made. */
function uuid(name: string): string {
  const hash = createHash('sha1').update(`pricebook/superset/${name}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

const version = '1.0.0';

/** A folder as Superset exports and imports it: database, datasets, charts and a dashboard. */
export function supersetFiles({ tables, charts }: Model): Record<string, string> {
  const files: Record<string, object> = {
    'metadata.yaml': { version, type: 'Dashboard' },
    'databases/pricebook.yaml': database,
    'dashboards/pricebook.yaml': dashboard(charts),
  };
  for (const table of tables) files[`datasets/pricebook/${table.name}.yaml`] = dataset(table);
  for (const each of charts) files[`charts/${each.name}.yaml`] = chart(each);
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      stringify(content, { lineWidth: 110, blockQuote: 'literal' }),
    ]),
  );
}

/** Without a password: `superset set-database-uri` sets the address. */
const database = {
  database_name: 'Pricebook',
  sqlalchemy_uri: 'postgresql+psycopg2://bi_analyst@localhost:5432/pricebook',
  ...{ cache_timeout: 3600, expose_in_sqllab: true, allow_run_async: false, allow_ctas: false, allow_cvas: false },
  ...{ allow_dml: false, allow_file_upload: false, extra: {}, uuid: uuid('database'), version },
};

function dataset({ name, about, sql, columns, measures, night }: Table) {
  return {
    ...{ table_name: name, main_dttm_col: night, description: about, schema: 'marts', sql },
    // Without it Superset rewrites the SQL on import.
    source_db_engine: 'postgresql',
    filter_select_enabled: true,
    uuid: uuid(`dataset ${name}`),
    metrics: [
      ...measures.map(({ name, how, column, where }) => ({
        ...{ metric_name: name, verbose_name: name, metric_type: how },
        expression: `${how}(${column ?? '*'})${where ? ` filter (where ${where.join(' ')})` : ''}`,
      })),
      ...(measures.some(({ how }) => how === 'count')
        ? []
        : [{ metric_name: 'Rows', verbose_name: 'Rows', metric_type: 'count', expression: 'count(*)' }]),
    ],
    columns: columns.map(({ name, type, about }) => ({
      ...{ column_name: name, verbose_name: labelOf(name), description: about, type: types[type] },
      ...{ is_dttm: type === 'date' || type === 'instant', is_active: true, groupby: true, filterable: true },
    })),
    ...{ version, database_uuid: uuid('database') },
  };
}

type Drawn = Model['charts'][number];

function chart({ name, title, about, kind, from, night, series = [], values, unit, table }: Drawn) {
  const where = 'where' in from ? from.where : undefined;
  const params =
    kind === 'line'
      ? {
          ...{ viz_type: 'echarts_timeseries_line', x_axis: night, time_grain_sqla: 'P1D', groupby: series },
          metrics: values.map((value) => table.measures.find(({ column }) => column === value)!.name),
          ...{ show_legend: true, truncateYAxis: true, y_axis_bounds: [null, null] },
          y_axis_format: unit ? ',.1f' : 'SMART_NUMBER',
        }
      : {
          ...{ viz_type: 'table', query_mode: 'raw', all_columns: values },
          order_by_cols: night ? [JSON.stringify([night, false])] : [],
        };
  const time = { subject: night, operator: 'TEMPORAL_RANGE', comparator: 'No filter' };
  return {
    ...{ slice_name: title, description: about, viz_type: params.viz_type },
    params: {
      ...params,
      row_limit: 10_000,
      adhoc_filters: [
        ...(night ? [{ clause: 'WHERE', expressionType: 'SIMPLE', ...time }] : []),
        ...(where ? [{ clause: 'WHERE', expressionType: 'SQL', sqlExpression: where }] : []),
      ],
    },
    ...{ uuid: uuid(`chart ${name}`), version, dataset_uuid: uuid(`dataset ${table.name}`) },
  };
}

/** Two charts side by side, below filters of region and time. */
function dashboard(charts: readonly Drawn[]) {
  const rows = charts.filter((_, at) => at % 2 === 0).map((left, at) => ({ id: `ROW-${at}`, left, at }));
  const placed = charts.map(({ name, title }, at) => {
    const parents = ['ROOT_ID', 'GRID_ID', `ROW-${at >> 1}`];
    const meta = { chartId: at + 1, height: 50, width: 6, sliceName: title, uuid: uuid(`chart ${name}`) };
    return { type: 'CHART', id: `CHART-${name}`, children: [], parents, meta };
  });
  const parts = [
    { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    { type: 'GRID', id: 'GRID_ID', children: rows.map(({ id }) => id), parents: ['ROOT_ID'] },
    { type: 'HEADER', id: 'HEADER_ID', meta: { text: 'Pricebook' } },
    ...rows.map(({ id, at }) => ({
      ...{ type: 'ROW', id, parents: ['ROOT_ID', 'GRID_ID'], meta: { background: 'BACKGROUND_TRANSPARENT' } },
      children: placed.slice(2 * at, 2 * at + 2).map((each) => each.id),
    })),
    ...placed,
  ];
  const filter = (name: string, filterType: string, targets: readonly object[], mask: object, value: unknown) => ({
    ...{ id: `NATIVE_FILTER-${name}`, name, type: 'NATIVE_FILTER', filterType, targets },
    ...{ scope: { rootPath: ['ROOT_ID'], excluded: [] }, cascadeParentIds: [] },
    controlValues: { enableEmptyFilter: false, multiSelect: false },
    defaultDataMask: { extraFormData: mask, filterState: { value } },
  });
  const region = { column: { name: 'region' }, datasetUuid: uuid('dataset dim_region') };
  const chosen = { filters: [{ col: 'region', op: 'IN', val: ['uk'] }] };
  const time = 'Last quarter';
  return {
    ...{ dashboard_title: 'Pricebook', description: 'Prices, promotions and stock of both regions.', css: '' },
    ...{ slug: 'pricebook', published: true, uuid: uuid('dashboard') },
    position: { DASHBOARD_VERSION_KEY: 'v2', ...Object.fromEntries(parts.map((part) => [part.id, part])) },
    metadata: {
      native_filter_configuration: [
        filter('Region', 'filter_select', [region], chosen, ['uk']),
        filter('Time', 'filter_time', [{}], { time_range: time }, time),
      ],
    },
    version,
  };
}
