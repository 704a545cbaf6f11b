import { parse, stringify } from 'yaml';
import { sql } from '../../src/questions/sql.ts';
import { statementOf } from './charts.ts';
import type { Model } from './model.ts';

const datasource = { type: 'grafana-postgresql-datasource', uid: 'pricebook' };

/** A folder for Grafana's provisioning; `rules` is the text of the rules for Prometheus. */
export async function grafanaFiles({ charts }: Model, rules: string): Promise<Record<string, string>> {
  const panels = await Promise.all(charts.map(panel));
  const dashboard = {
    ...{ uid: 'pricebook', title: 'Pricebook', tags: ['pricebook'], timezone: 'utc', editable: true },
    ...{ schemaVersion: 39, version: 1, refresh: '', time: { from: 'now-90d', to: 'now' } },
    templating: { list: variables },
    ...{ annotations: { list: [] }, panels },
  };
  return {
    'dashboards/pricebook.json': `${JSON.stringify(dashboard, null, 2)}\n`,
    'alerting/pricebook.yaml':
      '# Generated from the rules for Prometheus.\n' +
      stringify(alerting(rules), { lineWidth: 110, blockQuote: 'literal' }),
  };
}

const variable = (name: string, label: string, query: string, more: object) => ({
  ...{ name, label, type: 'query', datasource, query, definition: query, refresh: 1, sort: 0, hide: 0 },
  ...{ multi: false, includeAll: false, ...more },
});

const variables = [
  variable(
    ...['region', 'Region', 'select name as __text, region as __value from marts.dim_region order by region desc'],
    {},
  ),
  variable(
    ...['department', 'Department'],
    `select path from marts.dim_category where region = '\${region}' and depth = 0 and gone_at is null order by path`,
    { refresh: 2, multi: true, includeAll: true, current: { selected: true, text: ['All'], value: ['$__all'] } },
  ),
];

async function panel(chart: Model['charts'][number], at: number) {
  const { from, kind, night, series, values, department } = chart;
  const region = sql`'\${region}'`;
  const since = night ? sql`$__timeFrom()::date` : undefined;
  const rows =
    'mart' in from
      ? `marts.${from.mart}`
      : `(\n${(await statementOf(from, [region], since)).replace(/^/gm, '  ')}\n) as chart`;
  const conditions = [
    `region = '\${region}'`,
    night && `$__timeFilter(${night})`,
    'where' in from && from.where,
    department && `${department} in (\${department})`,
  ].filter(Boolean);
  const line = `${night}::timestamp as "time", ${series ? `concat_ws(' ', ${series.join(', ')}) as metric, ` : ''}`;
  const order = night && `\norder by ${night}${kind === 'line' ? '' : ' desc'}`;
  const rawSql =
    `select ${kind === 'line' ? line : ''}${values.join(', ')}\nfrom ${rows}\n` +
    `where ${conditions.join(' and ')}${order ?? ''}`;
  const custom = { lineWidth: 2, fillOpacity: 0, spanNulls: false, showPoints: 'auto' };
  const options = { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } };
  const format = kind === 'line' ? 'time_series' : 'table';
  return {
    ...{ id: at + 1, type: kind === 'line' ? 'timeseries' : 'table', title: chart.title, description: chart.about },
    ...{ datasource, gridPos: { x: (at % 2) * 12, y: (at >> 1) * 8, w: 12, h: 8 } },
    fieldConfig: { defaults: { unit: chart.unit ?? 'none', custom: kind === 'line' ? custom : {} }, overrides: [] },
    options: kind === 'line' ? options : {},
    targets: [{ refId: 'A', datasource, editorMode: 'code', rawQuery: true, format, rawSql }],
  };
}

/** Rules for Prometheus that the marts can answer, too, with the value that the rule compares. */
const alerts = {
  PricebookNightLate: `select region,
  extract(epoch from now() - coalesce(
    max(finished_at) filter (where certificate <> 'partial'), min(finished_at)))::float as seconds
from marts.snapshot
group by region`,
  PricebookNightPartial: `select distinct on (region) region, (certificate <> 'partial')::int as certified
from marts.snapshot
order by region, snapshot_date desc`,
  PricebookLimitNearlyUsed: `select listing, 1 - quota_remaining::float / quota_limit as used
from marts.listing_now
where quota_limit > 0 and quota_resets_at > now()`,
};

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: object;
  readonly annotations: Readonly<Record<string, string>>;
}

function alerting(rules: string) {
  const all = (parse(rules) as Rules).groups.flatMap((group) => group.rules);
  const data = (refId: string, datasourceUid: string, model: object) => ({
    ...{ refId, datasourceUid, relativeTimeRange: { from: 600, to: 0 }, model: { refId, ...model } },
  });
  const provisioned = Object.entries(alerts).map(([name, rawSql]) => {
    const { expr, labels, annotations } = all.find(({ alert }) => alert === name)!;
    const [comparison] = /(>=|>|==) [\d.* ]+$/.exec(expr)!;
    return {
      ...{ uid: name.toLowerCase(), title: name, condition: 'B', for: '0s' },
      data: [
        data('A', datasource.uid, { editorMode: 'code', rawQuery: true, format: 'table', rawSql }),
        data('B', '__expr__', { type: 'math', expression: `$A ${comparison}` }),
      ],
      ...{ noDataState: 'OK', execErrState: 'Error', labels },
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, text]) => [key, text.replaceAll('$value', '$values.A.Value')]),
      ),
    };
  });
  return {
    apiVersion: 1,
    groups: [{ ...{ orgId: 1, name: 'Pricebook', folder: 'Pricebook', interval: '5m' }, rules: provisioned }],
  };
}
